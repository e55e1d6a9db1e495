"""詞: the words of the table that a sentence is made of, each under the letter of its kind in the grammar."""

from __future__ import annotations

PERSON, DEALER, BESIDE, UNKNOWN, NUMBER = "P", "Z", "R", "U", "N"
WIN, SELF, DEAL, TO, OFF, OWN, BY = "W", "S", "D", "G", "O", "E", "B"
AND, EACH, COMMA, DRAWN, FALSE, SEVERAL, FILLER = "J", "A", "C", "L", "F", "M", "X"

TAI = ("台數", "台", "臺", "檯", "tai")
NO_TAI = ("沒台", "没台", "無台", "零台", "no tai")
WIND_WORDS = (
    ("東家", "東風", "东家", "東", "east"),
    ("南家", "南風", "南", "south"),
    ("西家", "西風", "西", "west"),
    ("北家", "北風", "北", "north"),
)
BESIDES = {"下家": 1, "下手": 1, "對家": 2, "对家": 2, "對面": 2, "对面": 2, "上家": -1, "上手": -1}
COUNTS = {
    **dict.fromkeys(("一炮雙響", "一炮双响", "一炮兩響", "一炮两响", "一炮二響", "雙響", "雙響炮", "double win"), 2),
    **dict.fromkeys(("一炮三響", "一炮三响", "三響", "三響炮", "triple win"), 3),
    **dict.fromkeys(("一炮多響", "一炮多响"), 0),
}
"""How many win on one discard; 0: several."""
WORDS: dict[str, tuple[str, ...]] = {
    DEALER: ("莊家", "庄家", "做莊的", "莊", "庄", "the dealer", "dealer"),
    WIN: ("胡牌", "胡到", "胡", "糊", "和牌", "和", "贏", "won", "wins", "win", "hu", "took", "takes"),
    SELF: (
        *("自摸", "門清自摸", "自己摸", "self-drawn", "self-draw", "self-draws", "self-drew"),
        *("self drawn", "self draw", "self draws", "self drew", "selfdraw", "zimo", "tsumo"),
    ),
    DEAL: (
        *(
            "放槍",
            "放枪",
            "放炮",
            "點砲",
            "點炮",
            "点炮",
            "放銃",
            "放铳",
            "出銃",
            "出铳",
            "出沖",
            "放沖",
            "打給",
            "放的",
            "打的",
        ),
        *("放的槍", "放的枪", "dealt in", "deals in", "deal in", "dealt into", "deals into", "'s discard"),
        *("discarded", "discards"),
    ),
    TO: ("給", "给", "to"),
    OFF: ("off", "from", "on", "off of"),
    OWN: (
        "的",
        "的牌",
        "的槍",
        "的枪",
        "的炮",
        "那張",
        "那張牌",
        "放的",
        "打的",
        "放的槍",
        "放的牌",
        "打的牌",
        "'s",
        "'s discard",
        "'s tile",
    ),
    BY: ("被",),
    AND: ("跟", "和", "與", "与", "及", "還有", "and", "&", "+"),
    EACH: ("各", "都", "各是", "each"),
    COMMA: (",", "。", "、", ";", ".", "!", ":"),
    DRAWN: (
        *(
            "流局",
            "荒局",
            "荒牌",
            "黃牌",
            "黃莊",
            "臭莊",
            "沒人胡",
            "没人胡",
            "沒有人胡",
            "流局沒人胡",
            "draw",
            "drawn",
        ),
        *("drawn hand", "a draw", "nobody won", "no one won", "nobody wins"),
    ),
    FALSE: ("詐胡", "诈胡", "詐糊", "詐和", "false win", "falsely won", "false hu"),
    FILLER: (
        *(
            "了",
            "啊",
            "啦",
            "喔",
            "哦",
            "耶",
            "欸",
            "嗯",
            "呃",
            "吧",
            "那個",
            "這把",
            "這一把",
            "這手",
            "這一手",
            "這局",
            "這盤",
        ),
        *(
            "是",
            "有",
            "總共",
            "一共",
            "共",
            "總計",
            "剛剛",
            "剛才",
            "結果",
            "然後",
            "而且",
            "台數",
            "“",
            "”",
            "「",
            "」",
        ),
        *(
            "the",
            "a",
            "an",
            "of",
            "with",
            "for",
            "by",
            "hand",
            "this hand",
            "then",
            "uh",
            "um",
            "was",
            "is",
            "total",
            "it was",
        ),
    ),
}
"""The words of each kind, in small letters."""
NEGATIONS = ("沒", "没", "不", "未", "別", "非", "not", "n't", "never", "didn", "no ")
"""Words after which nothing that is understood may be taken for said."""
