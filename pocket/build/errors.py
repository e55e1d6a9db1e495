"""Reasons why the pocket edition cannot be built: one sentence with the way out."""

from __future__ import annotations

SENTENCES = {
    "no_npm": {
        "zh": "做口袋版要有 npm 和 Node.js：Pyodide 由它拿來，只在做的時候用。"
        "裝好再做一次（Debian：apt-get install npm），或在裝了 npm 的電腦上做，把資料夾搬過來。",
        "en": "Building the pocket edition needs npm and Node.js: they bring Pyodide, at build time only. Install them "
        "and build again (Debian: apt-get install npm), or build on a computer that has them and bring the folder "
        "here.",
    },
    "npm_failed": {
        "zh": "npm 沒有把 Pyodide 拿來（{reason}）。看看網路，再做一次。",
        "en": "npm did not bring Pyodide ({reason}). Look at the network and build again.",
    },
    "node_failed": {
        "zh": "Python 的檔案沒有編成（{reason}）。Node.js 要 18 以上；再做一次。",
        "en": "The Python files were not compiled ({reason}). Node.js must be 18 or newer; build again.",
    },
    "other_pyodide": {
        "zh": "拿來的 Pyodide 不是釘住的那一版：它的 {file} 和預期的不同。刪掉 {folder} 再做一次。",
        "en": "The Pyodide that came is not the pinned one: its {file} is another. Remove {folder} and build again.",
    },
    "not_ours": {
        "zh": "{folder} 裡有別的東西，不蓋掉它。換一個空的資料夾。",
        "en": "{folder} holds other things, which are not overwritten. Choose an empty folder.",
    },
    "cannot_write": {
        "zh": "{folder}：寫不進去（{reason}）。換一個資料夾。",
        "en": "{folder}: cannot be written ({reason}). Choose another folder.",
    },
    "no_library": {
        "zh": "這裡沒裝 {library}，口袋版要帶它：pip install {library}",
        "en": "{library} is not installed here, and the pocket edition carries it: pip install {library}",
    },
}


class BuildError(Exception):
    """The reason why nothing was built: the key of its sentence and the values in it."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def message(self, lang: str) -> str:
        """The sentence in a language; 繁體中文 for unknown languages."""
        sentences = SENTENCES[self.key]
        return sentences.get(lang, sentences["zh"]).format(**self.values)
