import json


def test_a_script_is_shown_or_written(mailbox, tmp_path):
    shown = mailbox.run("rules", "--to", "sieve")
    assert 'require ["fileinto"];' in shown
    assert '"club@chess.example"' in shown
    assert 'fileinto "Chess";' in shown
    mailbox.run("rules", "-o", str(tmp_path / "filter.sieve"))
    assert (tmp_path / "filter.sieve").read_text() in shown
    rules = json.loads(mailbox.run("rules", "--json"))
    assert {"field": "from", "value": "club@chess.example", "folder": "Chess"}.items() <= rules[1].items()
    assert 'fileinto "Chess";' not in mailbox.run("rules", "--least", "1000")
