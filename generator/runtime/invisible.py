"""Match invisible characters.

A person who reads a message must see everything that the agent reads.
"""

# --- rendered from here on ---

# Matches Unicode's Default_Ignorable_Code_Point and printable blanks; emoji keep their U+FE0F.
INVISIBLE = (
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U00016fe4"
    r"\U00013441\U00013442\U0001d159\U000e0100-\U000e01ef]"
    r"|(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)"
)
