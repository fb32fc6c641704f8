"""Whole messages."""

from datetime import UTC, datetime

from likely.mail.message import Message, parse

from .hostile import ALL_KINDS


def test_a_message_with_all_kinds_of_parts():
    read = parse(ALL_KINDS)
    assert read.text.split("\n") == ["plain café text that is long enough", "é inside"]
    assert read.subject == "Grüße and folded words"
    assert read.date == datetime(2024, 1, 1, 9, tzinfo=UTC)
    assert read.message_id == "one@example.org"
    assert read.problems == ()
    assert " ".join(read.tokens) == (
        "from:ann@example.org from:example.org from:ann from:müller to:bob@example.net to:example.net "
        "to:carol@example.com to:example.com subject:grüße subject:and subject:folded subject:words "
        "message-id:example.org list-id:dev.example.org thread:zero@example.org content-type:multipart/mixed "
        "content-type:multipart/alternative content-type:text/plain charset:utf-8 content-type:text/html "
        "charset:windows-1252 content-type:application/pdf attachment:pdf filename:big filename:invoice "
        "content-type:message/rfc822 content-type:text/plain charset:utf-7 link:link.example.org"
    )


def test_line_ends_make_no_difference():
    unix = parse(ALL_KINDS)
    windows = parse(ALL_KINDS.replace(b"\n", b"\r\n"))
    assert windows.text.replace("\r", "") == unix.text
    assert (windows.tokens, windows.date, windows.problems) == (unix.tokens, unix.date, unix.problems)
    assert parse(ALL_KINDS.replace(b"\n", b"\r")) == unix


def test_the_html_is_read_where_the_plain_text_says_nothing():
    raw = ALL_KINDS.replace(b"plain caf=C3=A9 text that is =\nlong enough", b"see HTML")
    assert parse(raw).text.split() == ["see", "HTML", "marked", "up", "here", "€", "é", "inside"]


def test_nothing_is_made_of_fields_that_tell_the_label():
    clean = parse(b"Subject: lunch\nTo: a@b.c\n\nx")
    leaking = parse(b"X-Spam-Status: Yes\nSubject: lunch\nStatus: RO\nX-Folder: work\nTo: a@b.c\nX-UID: 4\n\nx")
    assert clean == leaking


def test_a_header_that_runs_over_into_the_text_does_not_tell_the_label_either():
    read = parse(
        b"Subject: lunch\n\xff\nthis is no field\nnor this\nnor\nX-Spam-Status: Yes\n  verily\nX-Folder: work\n\ntext"
    )
    assert "text" in read.text
    assert "nor this" in read.text
    assert not {"Yes", "verily", "work"} & set(read.text.split())


def test_a_line_that_is_no_field_is_passed_over():
    read = parse(b"From: a@b.c\nwrapped without a space\nSubject: lunch\n\ntext")
    assert (read.subject, read.text) == ("lunch", "text")
    assert read.problems == ("a header has a line that is not a field: it is passed over",)


def test_text_may_follow_the_header_at_once():
    read = parse(b"Subject: lunch\ntomorrow at noon\nand bring : food\n")
    assert (read.subject, read.text) == ("lunch", "tomorrow at noon\nand bring : food\n")


def test_a_text_without_header():
    read = parse(b"just some words\n")
    assert (read.text, read.problems) == ("just some words\n", ("the message has no header",))


def test_an_empty_message():
    assert parse(b"") == Message("", (), "", None, "", ("the message is empty",))


def test_the_date_is_that_of_the_last_server_where_the_sender_gave_none():
    received = b"Received: by x; Tue, 2 Jan 2024 10:00:00 +0000\nReceived: by y; Mon, 1 Jan 2024 10:00:00 +0000\n"
    assert parse(received + b"\nx").date == datetime(2024, 1, 2, 10, tzinfo=UTC)
    read = parse(received + b"Date: soon\n\nx")
    assert read.date == datetime(2024, 1, 2, 10, tzinfo=UTC)
    assert read.problems == ("the date 'soon' cannot be read",)
    assert parse(b"Subject: x\n\nx").date is None


def test_a_multipart_that_is_cut_short_is_read_to_its_end():
    read = parse(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo")
    assert read.text == "one\ntwo"
    assert read.problems == ("the last part is not closed: the message may have been cut short",)


def test_a_multipart_without_boundary_is_text():
    for kind in (b"multipart/mixed", b"multipart/mixed; boundary=other"):
        read = parse(b"Content-Type: " + kind + b"\n\n--b\n\none\n")
        assert read.text == "--b\n\none\n"
        assert read.problems == ("a multipart has no boundary: it is read as one text",)


def test_a_boundary_that_starts_with_another_is_not_that_other():
    read = parse(
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=bb\n\n"
        b"--bb\n\none\n--bb--\n--b  \n\ntwo\n--b--\n"
    )
    assert (read.text, read.problems) == ("one\ntwo", ())


def test_the_parts_of_a_digest_are_messages():
    read = parse(b"Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: inner\n\none\n--b--\n")
    assert read.text == "one"


def test_attachments_are_named_and_not_read():
    read = parse(b'Content-Type: text/csv; name="My sales-2024.CSV"\nContent-Disposition: attachment\n\nsecret,1\n')
    assert read.text == ""
    assert {"attachment:csv", "filename:my", "filename:sales", "filename:2024"} <= set(read.tokens)
    assert "attachment:png" in parse(b"Content-Type: image/png\n\nx").tokens


def test_a_uuencoded_file_in_a_text_is_an_attachment():
    read = parse(b"Subject: x\n\nsee this\nbegin 644 photo.jpg\n#86)C\n`\nend\nbye\n")
    assert read.text.split() == ["see", "this", "bye"]
    assert {"attachment:jpg", "filename:photo"} <= set(read.tokens)


def test_html_that_is_called_plain_is_read_as_html():
    assert parse(b"Subject: x\n\n<html><body>a<b>b</b></body></html>").text.split() == ["ab"]


def test_long_texts_are_cut_and_told():
    read = parse(b"Subject: x\n\n" + b"word " * 60_000)
    assert len(read.text) == 2**18
    assert read.problems == ("the text has more than 262,144 characters: the rest is not read",)


def test_a_damaged_part_costs_that_part_only():
    read = parse(
        b"Content-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Transfer-Encoding: base64\n\nb25l!=x\n--b\n\ntwo\n--b--"
    )
    assert read.text == "one\ntwo"
    assert read.problems == ("base64 is damaged: read as far as it could be",)
