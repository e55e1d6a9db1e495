"""詞: the words of the table that a sentence is made of, each under the letter of its kind in the grammar."""

from __future__ import annotations

from collections.abc import Iterator

PERSON, DEALER, BESIDE, UNKNOWN, NUMBER = "P", "Z", "R", "U", "N"
WIN, TAKE, SELF, DEAL, TO, OFF, OWN, BY = "W", "T", "S", "D", "G", "O", "E", "B"
AND, EACH, COMMA, DRAWN, FALSE, SEVERAL, FILLER = "J", "A", "C", "L", "F", "M", "X"
PATTERN, TOTAL, DEALS, BLOCK, WITH_DEALER = "H", "V", "Y", "K", "I"

TAI = ("台數", "台", "臺", "檯", "tai")
NO_TAI = ("沒台", "没台", "無台", "零台", "沒有台", "没有台", "沒台數", "沒有台數", "只有底", "光底", "no tai")
WIND_WORDS = (
    ("東家", "東風", "东家", "東", "east"),
    ("南家", "南風", "南", "south"),
    ("西家", "西風", "西", "west"),
    ("北家", "北風", "北", "north"),
)
BESIDES = {
    **dict.fromkeys(("下家", "下手", "下游"), 1),
    **dict.fromkeys(("對家", "对家", "對面", "对面", "對門"), 2),
    **dict.fromkeys(("上家", "上手", "上游"), -1),
}
COUNTS = {
    **{f"{gun}{rings}響": 2 for gun in ("一炮", "一砲", "一槍", "") for rings in "雙兩二"},
    **{f"{gun}{rings}響": 3 for gun in ("一炮", "一砲", "一槍", "") for rings in "三"},
    **{f"一{gun}多響": 0 for gun in "炮砲槍"},
    **dict.fromkeys(
        ("一炮双响", "一炮两响", "雙響炮", "雙響砲", "兩家胡", "兩家都胡", "兩個人胡", "兩人胡", "double win"), 2
    ),
    **dict.fromkeys(("一炮三响", "三響炮", "三響砲", "三家胡", "三家都胡", "三個人胡", "triple win"), 3),
    "一炮多响": 0,
}
"""The number of winners on one discard; 0: several."""
ZERO_TAI_WINS = ("屁胡", "屁糊", "雞胡")
CONCEALED_SELF_DRAWS = ("門清一摸三", "門前清一摸三", "門清自摸一摸三", "门清一摸三", "門清摸三", "一摸三")
"""Self-drawn with a concealed hand, 3 tai together."""


def _words(text: str) -> Iterator[str]:
    """The words of a list: lines between bars are cut at the bars, other lines at spaces."""
    for line in text.split("\n"):
        yield from filter(None, line.strip().split("|") if "|" in line else line.split())


_LISTS = {
    DEALER: """
        莊家 庄家 做莊的 當莊的 莊 庄
        |the dealer|dealer|
    """,
    DEALS: """
        做莊 當莊 坐莊 作莊 是莊家 是莊 的莊
        |deals|is dealer|is the dealer|
    """,
    WIN: """
        胡牌 胡到 胡走 截胡 胡 糊牌 糊 和牌 和 贏牌 贏 赢 湖 食胡 吃胡 捉銃 搶槓 搶摃 搶槓胡 搶摃胡 槓上炮
        |won|wins|win|hu|took|takes|got|gets|goes out|went out|robbed the kong|
    """,
    TAKE: """
        吃 吃到 食 中 中了 抓 抓到 捉 捉到 搶 收
        |beat|beats|hit|
    """,
    SELF: """
        自摸 自己摸 自己摸到 自己摸的 自模 字摸 紫摸 不求人 不求 半求 槓上開花 摃上開花 槓上花 槓開 摃開 嶺上開花 嶺上
        花開 花槓 海底撈月 海底摸月 海底自摸 門清不求 槓上自摸
        |self-drawn|self-draw|self-draws|self-drew|self drawn|self draw|self draws|self drew|selfdraw|zimo|tsumo|
    """,
    DEAL: """
        放槍 放枪 放鎗 放搶 放強 放炮 放砲 點砲 點炮 点炮 放銃 放铳 放衝 放沖 放充 出銃 出铳 出槍 出沖 打槍 送槍 打給
        放給 丟給 出給 放的 打的 丟的 出的 放的槍 放的枪 放的炮 的槍 的炮 的銃 放 點 送 放了槍 放一槍
        |dealt in|deals in|deal in|dealt into|deals into|'s discard|discarded|discards|dealt it|threw it|fed|
    """,
    TO: """
        給 给 予
        |to|
    """,
    OFF: """
        |off|from|on|off of|
    """,
    OWN: """
        : 的 的人 的牌 的槍 的枪 的炮 的銃 那張 那張牌 放的 打的 放的槍 放的牌 打的牌 打出來的 丟的 丟的牌 出的 出的牌
        打出來的牌 的槓
        |'s|'s discard|'s tile|
    """,
    BY: """
        被 讓
    """,
    AND: """
        跟 和 與 与 及 還有 以及 跟著 & +
        |and|plus|
    """,
    EACH: """
        各 都 各是 各自 一起 同時 也 也都 都是 都各
        |each|both|also|too|
    """,
    COMMA: """
        , 。 、 ; . ! : ~ …
    """,
    DRAWN: """
        流局 流局了 荒局 荒牌 黃牌 黃莊 荒莊 臭莊 流掉 流了 黃了 沒人胡 没人胡 沒有人胡 沒人胡牌 沒有人胡牌 流局沒人胡
        都沒人胡 沒人贏 沒人自摸 沒有人贏 摸完沒人胡 牌摸完了
        |draw|drawn|drawn hand|a draw|nobody won|no one won|nobody wins|no one wins|washed out|
    """,
    FALSE: """
        詐胡 诈胡 詐糊 詐和 炸胡 乍胡 亂胡 誤胡 胡錯 相公胡
        |false win|falsely won|false hu|false winner|
    """,
    TOTAL: """
        總共 一共 共 總計 合計 共計 加起來 全部 總台數
        |altogether|in all|in total|total|
    """,
    WITH_DEALER: """
        含莊 含莊家 含連莊 含莊連 加莊 加莊家 算莊家 連莊家 含拉莊 加連莊
        |with dealer tai|
    """,
    PATTERN: """
        門清 门清 門前清 平胡 平糊 碰碰胡 碰碰 對對胡 對對 清一色 混一色 湊一色 字一色 大三元 小三元 大四喜 小四喜
        三暗刻 四暗刻 五暗刻 三暗坎 四暗坎 五暗坎 全求人 全求 獨聽 独听 單吊 單釣 邊張 中洞 卡張 獨張 海底 河底撈魚 河底
        海底撈魚 天胡 地胡 人胡 天聽 地聽 七搶一 八仙過海 八仙 槓上 無字 無花 無字無花 無花無字 見花見字 見花 見字 花牌
        正花 門風 圈風 風刻 圈風台 門風台 三元牌 三元台 獨聽獨 咪幾 大牌 小牌
        |MIGI|all pungs|flush|half flush|all chows|concealed|concealed hand|single wait|
    """,
    FILLER: """
        了 啊 啦 喔 哦 耶 欸 嗯 呃 吧 哇 哈 嘿 誒 唉 齁 蛤 咧 囉 嘍 呀 喲 嘛 那個 這個 就 就是 又 再 還是 結果 然後 而且
        這把 這一把 這手 這一手 這局 這盤 這副 這次 這回 這邊 是 有 計 算 算是 得 拿 拿到 到 剛剛 剛才 剛 直接 竟然 居然
        終於 總算 真的 好 很 超 台數 只有 才 一個 一下 一把 一張 個 不小心 不過 沒想到 想不到 不好意思 非常 不得了 報告
        記 記一下 記錄 幫我記 請記 麻煩 來 大家好 一底 1底 三家 每家 每人 三家付 大家 其他人
        而已 大的 大牌的 連莊 爽 開心 厲害 強 猛 慘
        衰 可憐 倒楣 運氣好 手氣好 太爽 太扯 太強 扯 誇張 讚 恭喜 賠三家 賠每家 賠大家 偷偷 默默 硬是 馬上 立刻 一直
        連續 每次 老是 每把 竟 第一張 總共是 一樣 好啦 好了 喂 我看 看 看一下 最後 最後一張 現在 後來 今天 今晚 “ ” 「
        」 ( ) 『 』 - —
        |the|a|an|of|with|for|by|hand|this hand|then|uh|um|was|is|it was|has|had|it|so|just|this|that|worth|making|ok|
        |okay|well|again|a hand|this round|tile|tiles|discard|only|
    """,
}
"""The words of each kind, in small letters; between bars stand those that contain spaces or letters."""
WORDS: dict[str, tuple[str, ...]] = {kind: tuple(dict.fromkeys(_words(text))) for kind, text in _LISTS.items()}
SUITS = "萬万筒餅饼桶條条索洞"
HONOURS = ("紅中", "红中", "青發", "青发", "發財", "白板", "白皮", "么雞")
BEFORE_A_TILE = "胡摸吊釣聽打丟碰槓摃到張單了出"
"""After one of these a bare wind is a tile, not a player."""
KIN = tuple(
    _words("""
        先生 兒子 同事 哥哥 太太 女兒 女友 妹妹 姊姊 姐姐 媳婦 媽 媽媽 小姐 弟弟 朋友 爸 爸爸 男友 老公 老婆 鄰居
    """)
)
"""After a name these make another person of it, even after a space."""
OTHER_UNITS = tuple(
    _words("""
        塊 元 底 圈 次 番 翻 家 人 個 張 點 歲 % 號 年 天 分 秒 萬 万 千 百 筒 餅 饼 桶 條 条 索 洞 隻 串 組 刻 坎 片 杯
        盤 局 手 把 響 喜 色 元 摸
        |dollars|bucks|points|chips|times|hands|rounds|players|dollar|point|
    """)
)
"""Units that are not tai: a number before one of them is not the tai of a hand."""
BLOCKS = tuple(
    _words("""
        沒 没 不 未 別 非 無法 嗎 ? 如果 要是 假如 若 差點 差一點 差一張 差 本來 原本 快要 快 想 要 應該 應為 可能 也許
        好像 大概 大約 差不多 左右 或 或是 還是說 上一把 上把 前一把 上一手 上次 下一把 下把 昨天 前天 隔壁桌 記錯 講錯
        說錯 搞錯 弄錯 更正 改成 改 才對 才是 等等 等一下 取消 刪 收回 罰 扣 欠 借 還錢 假裝 開玩笑 至少 以上 以下 最多
        不到 超過 多少 幾台 幾 賭 猜 希望 也一樣 也是 也胡了嗎 其實 根本 跟說 聽說 聽牌
        |not|n't|never|didn|didn't|no|if|almost|nearly|maybe|about|around|should|would|could|might|last hand|next hand|
        |yesterday|sorry|wait|correction|or|instead|think|owes|owe|fine|fined|probably|at least|at most|
    """)
)
"""Words of doubt, negation and correction: a sentence with one of them fills nothing."""
