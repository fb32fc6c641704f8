from likely.mail.move import Move, as_json


def test_as_json():
    move = Move(3, 1.5, "f", "<1@x>", "hello", "INBOX", "7.1", "Chess", "7.9", "7.10", 0.9, None, "moved", "", "ann@x")
    (found,) = as_json([move])
    assert found == {
        "id": 3,
        "at": 1.5,
        "message_id": "<1@x>",
        "subject": "hello",
        "sender": "ann@x",
        "from": "INBOX",
        "to": "Chess",
        "action": "move",
        "keyword": "",
        "confidence": 0.9,
        "state": "moved",
        "undoes": None,
        "corrected": None,
        "why": "",
    }
