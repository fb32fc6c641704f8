"""What a folder is for: from its special-use flag (RFC 6154, RFC 8457), or from its name in common mail programs."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

FLAGS = {
    **{use: use for use in ("drafts", "sent", "trash", "junk", "archive", "all", "flagged", "important")},
    "spam": "junk",
    "allmail": "all",
    "starred": "flagged",  # Gmail's own flag, older than RFC 6154
}
"""The use of each flag; both in lower case, and without the backslash."""

IGNORED = frozenset({"drafts", "sent", "trash", "junk", "all", "flagged", "important", "outbox", "templates"})
"""Likely does not learn from folders with these uses, or file to them, unless you include them."""

INHERITED = frozenset({"drafts", "sent", "trash", "junk", "outbox", "templates"})
"""Uses that a folder inherits from its parent folder: "Trash/2023" is trash."""

NAMES = {
    "drafts": """
        Draft, Drafts, Entwurf, Entwürfe, Brouillon, Brouillons, Borrador, Borradores, Bozza, Bozze, Rascunho,
        Rascunhos, Concepten, Utkast, Kladder, Kladde, Luonnokset, Robocze, Szkice, Wersje robocze, Koncepty, Rozepsané,
        Rozpracované, Piszkozatok, Schițe, Mesaje nefinalizate, Чернетки, Черновики, Чернови, Taslaklar, Πρόχειρα,
        Esborranys, Skice, Nacrti, Osnutki, Juodraščiai, Melnraksti, Mustandid, טיוטות, مسودات, المسودات, ฉบับร่าง,
        下書き, 草稿, 草稿箱, 草稿匣, 임시 보관함, 임시보관함, Thư nháp, Konsep""",
    "sent": """
        Sent, Sent Items, Sent Mail, Sent Messages, Gesendet, Gesendete Objekte, Gesendete Elemente, Gesendete Mails,
        Gesendete Nachrichten, Gesendete E-Mails, Postausgang Gesendet, Envoyé, Envoyés, Éléments envoyés,
        Messages envoyés, Courrier envoyé, Courriers envoyés, Objets envoyés, Enviado, Enviados, Elementos enviados,
        Mensajes enviados, Correo enviado, Inviato, Inviata, Inviati, Posta inviata, Messaggi inviati, Elementi inviati,
        E-mails enviados, Mensagens enviadas, Itens enviados, Correio enviado, Itens Enviados, Verzonden,
        Verzonden items, Verzonden berichten, Skickat, Skickade, Skickade objekt, Skickade meddelanden, Sendt,
        Sendt post, Sendte elementer, Sendte meldinger, Sendte e-poster, Lähetetyt, Lähetetyt kohteet,
        Lähetetyt viestit, Wysłane, Elementy wysłane, Odeslaná pošta, Odeslané, Odeslané zprávy, Odoslaná pošta,
        Odoslané, Elküldött, Elküldött elemek, Elküldött üzenetek, Elküldött levelek, Trimise, Elemente trimise,
        Mesaje trimise, Надіслані, Отправленные, Исходящие отправленные, Отправленные письма, Изпратени,
        Gönderilmiş, Gönderilenler, Gönderilmiş Öğeler, Gönderilmiş Postalar, Απεσταλμένα, Enviats, Elements enviats,
        Poslano, Poslane stavke, Poslana pošta, Poslato, Išsiųsta, Išsiųsti, Nosūtītie, Saadetud, Saadetud üksused,
        דואר יוצא שנשלח, פריטים שנשלחו, נשלח, البريد المرسل, العناصر المرسلة, المرسل, รายการที่ส่งแล้ว, จดหมายที่ส่งแล้ว,
        送信済み, 送信済みアイテム, 送信済みメール, 送信済みトレイ, 已发送, 已发送邮件, 已傳送郵件, 寄件備份,
        寄件備份匣, 已寄出, 보낸 편지함, 보낸편지함, 보낸 메일함, Đã gửi, Terkirim""",
    "trash": """
        Trash, Deleted, Deleted Items, Deleted Messages, Deleted Mail, Bin, Wastebasket, Rubbish, Papierkorb, Gelöscht,
        Gelöschte Objekte, Gelöschte Elemente, Gelöschte Nachrichten, Corbeille, Éléments supprimés,
        Messages supprimés, Supprimés, Papelera, Elementos eliminados, Eliminados, Mensajes eliminados, Cestino,
        Posta eliminata, Eliminata, Messaggi eliminati, Lixeira, Lixo eletrônico eliminado, Itens excluídos,
        Itens eliminados, Mensagens apagadas, Lixo, Prullenbak, Prullenmand, Verwijderde items, Verwijderde berichten,
        Verwijderd, Papperskorg, Papperskorgen, Borttaget, Borttagna objekt, Papirkurv, Slettet post,
        Slettede elementer, Slettede meldinger, Slettet, Roskakori, Poistetut, Poistetut kohteet, Poistetut viestit,
        Kosz, Elementy usunięte, Usunięte, Koš, Kôš, Odstraněná pošta, Odstraněné, Odstránená pošta, Lomtár, Kuka,
        Törölt elemek, Törölt üzenetek, Coș de gunoi, Coș, Elemente șterse, Кошик, Видалені, Корзина, Удаленные,
        Удалённые, Удаленные письма, Кошче, Изтрити, Çöp Kutusu, Çöp, Silinmiş Öğeler, Silinmiş Postalar,
        Κάδος, Κάδος απορριμμάτων, Διεγραμμένα, Διαγραμμένα, Paperera, Elements suprimits, Otpad, Smeće, Izbrisano,
        Izbrisane stavke, Smetnjak, Šiukšliadėžė, Šiukšlinė, Miskaste, Prügikast, Prügi, אשפה, פריטים שנמחקו,
        سلة المهملات, العناصر المحذوفة, المهملات, ถังขยะ, รายการที่ถูกลบ, ゴミ箱, ごみ箱, 削除済みアイテム, 削除済みメール,
        已删除, 已删除邮件, 垃圾箱, 废件箱, 废纸篓, 回收站, 垃圾桶, 刪除的郵件, 휴지통, 지운 편지함, 삭제된 항목,
        Thùng rác, Sampah""",
    "junk": """
        Junk, Junk Mail, Junk E-mail, Junk Email, Spam, Bulk Mail, Spamverdacht, Unerwünscht, Unerwünschte Werbung,
        Junk-E-Mail, Courrier indésirable, Courriers indésirables, Indésirables, Pourriel, Pourriels,
        Correo no deseado, Correo basura, No deseado, Posta indesiderata, Indesiderata, Lixo eletrônico,
        Lixo eletrónico, E-mail de lixo, Correio não solicitado, Ongewenste e-mail, Ongewenste mail, Ongewenst,
        Skräppost, Uønsket e-mail, Uønsket e-post, Uønsket post, Søppelpost, Spampost, Roskaposti,
        Wiadomości-śmieci, Wiadomości śmieci, Niechciane, Nevyžádaná pošta, Nevyžiadaná pošta, Nevyžádané,
        Levélszemét, Mesaje nedorite, E-mail nedorit, Небажана пошта, Спам, Нежелательная почта, Нежелательные,
        Нежелана поща, Önemsiz, Önemsiz Posta, Gereksiz, İstenmeyen Posta, İstenmeyen e-posta, Ανεπιθύμητα,
        Ανεπιθύμητη αλληλογραφία, Correu brossa, Neželjena pošta, Neželena pošta, Nepageidaujami laiškai,
        Brukalas, Mēstules, Rämpspost, דואר זבל, זבל, البريد الإلكتروني غير الهام, بريد عشوائي, البريد غير الهام,
        อีเมลขยะ, จดหมายขยะ, 迷惑メール, 垃圾邮件, 垃圾电子邮件, 垃圾郵件, 스팸, 스팸함, 스팸메일함, 정크 메일,
        정크 전자 메일, Thư rác""",
    "outbox": """
        Outbox, Unsent Messages, Postausgang, Boîte d'envoi, Messages en attente, Bandeja de salida, Posta in uscita,
        In uscita, Caixa de saída, A enviar, Postvak UIT, Postvak uit, Utkorgen, Utkorg, Utboks, Udbakke, Lähtevät,
        Skrzynka nadawcza, Do wysłania, Pošta k odeslání, Pošta na odoslanie, Postázandó, Postázandó üzenetek,
        De trimis, Вихідні, Исходящие, Giden Kutusu, Εξερχόμενα, 送信トレイ, 发件箱, 寄件匣, 보낼 편지함, صندوق الصادر,
        דואר יוצא""",
    "templates": """
        Templates, Vorlagen, Modèles, Plantillas, Modelli, Modelos, Sjablonen, Mallar, Maler, Skabeloner, Mallit,
        Szablony, Šablony, Šablóny, Sablonok, Șabloane, Шаблони, Шаблоны, Şablonlar, Πρότυπα, テンプレート, 模板,
        範本, 템플릿""",
    "flagged": "Starred, Flagged, Markiert, Suivis, Destacados, Speciali, Com estrela, Met ster",
    "all": "All Mail, Alle Nachrichten, Tous les messages, Todos, Tutti i messaggi, Todos os e-mails, Alle e-mails",
    "important": "Important, Wichtig, Importants, Importantes, Importanti, Belangrijk",
}
"""The names of these folders in Outlook, Thunderbird, Apple Mail and Gmail, in all their languages. The last three uses
count only below Gmail's own folder, because you may have a folder of your own with the name "Important"."""

GMAIL = frozenset({"[gmail]", "[google mail]"})


def _compared(name: str) -> str:
    """A name in the form in which names are compared: case-folded, NFC, with single spaces instead of hyphens."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().replace("-", " ").split())


_BY_NAME = {_compared(name): use for use, names in NAMES.items() for name in names.replace("\n", " ").split(",")}


@dataclass(frozen=True, slots=True)
class Folder:
    name: str
    """The full name, with "/" between a folder and its subfolders."""
    uses: frozenset[str] = frozenset()
    """What it is for: values of `FLAGS`, "outbox" and "templates"."""


def with_uses(folders: Iterable[tuple[str, Iterable[str]]]) -> list[Folder]:
    """Folders with their uses, sorted by name, from pairs of a name and the flags that the server reports for it (no
    flags if there is no server)."""
    flagged = {
        name: frozenset(FLAGS[flag.lower()] for flag in flags if flag.lower() in FLAGS) for name, flags in folders
    }
    own = {name: flags or _by_name(name) for name, flags in flagged.items()}
    return [Folder(name, own[name] | _of_those_around(name, own)) for name in sorted(own)]


def _by_name(name: str) -> frozenset[str]:
    parts = [_compared(part) for part in name.split("/")]
    use = _BY_NAME.get(parts[-1])
    if use in ("flagged", "all", "important") and not GMAIL & set(parts):
        return frozenset()
    return frozenset({use} if use is not None else ())


def _of_those_around(name: str, own: dict[str, frozenset[str]]) -> frozenset[str]:
    parts = name.split("/")
    around = ("/".join(parts[:end]) for end in range(1, len(parts)))
    return frozenset(use for path in around for use in own.get(path, _by_name(path)) if use in INHERITED)
