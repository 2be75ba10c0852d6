/** JSON tokens for mutations to insert into inputs. */
export const jsonTokens = [
  ...['{"a":1}', "{}", "[]", "[", "]", "{", "}", ":", ",", '"', "null", "true", "1e5", "-0"],
  ...["\\u0000", "\\ud83d", "\\", "é", "日本", "😀", "\u2028", "\ufeff", '{"a":[', '{"a":{'],
];

/** XML tokens for mutations to insert into inputs. */
export const elementTokens = [
  ...["<", ">", "/>", "</", '"', "'", "\\", "=", "&", ";", "&lt;", "&#39;", "&#x41;", "&amp;amp;"],
  ...["<![CDATA[", "]]>", "]]></", "<!--", "-->", "<?xml", "?>", "\n", " ", "\\'", '\\"'],
  ...[
    "<variables>",
    "</variables>",
    "<variable ",
    "<variables",
    ' name="a"',
    ' value="',
    "<frames>",
  ],
  ...['<frame no="1" file="a" line="3"/>', "</frames>", "<message>", "</message>", "<error>"],
  ...["</error>", '<eval expression="1" value="2" />', ' objectId="', ' type="', ' kind="local"'],
  ...['<breakpointAdded no="1" location="a:2"/>', "<threads>", "</threads>", ' hasChildren="true"'],
  ...['<thread id="1" status="run"/>', "<value>", "</value>", "<processingException ", "<a>", "<b"],
  ...['<exception file="a" line="1" type="E" message="', ' threadId="1"', "<breakpoints>", "PRY"],
];

/** Command line tokens for mutations to insert into inputs. */
export const commandTokens = [
  ...["\n", "\r\n", ";", "\\;", "\\", "\\n", " ", "\t", ":", ".", "#", "+", "-", "%", ","],
  ...["break a.rb:1", "b ", "break ", " if ", "b a:1 if x", "delete ", "del 1 2", "info break"],
  ...["var local", "v l", "var instance 0x1f", "v i ", "var global", "v ct ", "v const ", "v m "],
  ...["p ", "pp ", "eval ", "next", "n+ 2", "step", "s", "finish", "cont", "c 5", "up", "down"],
  ...["where", "w", "bt", "frame 1", "f -1", "thread list", "th l", "thread switch 1", "th c 2"],
  ...["catch ", "cat off", "condition 1 x", "enable 1", "disable 1 2", "load ", "start", "exit"],
  ...["set debug 1", "list 1-2", "l =", "jump 5", "include ", "exclude ", "expression_info "],
  ...["interrupt", "pause 1", "restart", "method ", "ruby", "detach", "q", "quit!", "inspect"],
];
