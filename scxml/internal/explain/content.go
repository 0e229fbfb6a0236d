package explain

import "github.com/scxmlrun/scxmlrun/scxml/internal/doc"

// ofContent explains what is wrong with executable content, data and
// expressions.
var ofContent = []Explanation{
	{
		Code:    "cannot-load",
		Title:   "A file that src names cannot be loaded",
		Section: "5.3, 5.8 and 6.4",
		Text: `Files are read from the folder of the chart and the folders below it, never
from elsewhere, and by a relative name. A document is refused if a script cannot be loaded. For a
<data> or <invoke>, it is a warning: the item has no value, or the invocation fails, and the session
gets error.execution.`,
		Wrong: `<script src="missing.js"/>`,
		Right: `<script src="good.js"/>`,
	},
	{
		Code:    "conflicting-content",
		Title:   "<content> together with <param> or namelist",
		Section: "5.5.2, 6.2.3, 6.4",
		Text: `The data of an event, or of an invocation, is either what <content> says, or
an object of names and values from namelist and <param>.`,
		Wrong: `<send event="e"><content>1</content><param name="a" expr="1"/></send>`,
		Right: `<send event="e"><param name="a" expr="1"/></send>`,
	},
	{
		Code:    "content-beside-expr",
		Title:   "An element has both expr and content",
		Section: "5.3, 5.4.2, 5.6.2",
		Text:    `Both say what the value is. Keep one of them.`,
		Wrong:   `<assign location="a" expr="1">2</assign>`,
		Right:   `<assign location="a" expr="2"/>`,
	},
	{
		Code:    "content-beside-src",
		Title:   "An element has both src and content",
		Section: "5.3, 5.8.2, 6.4",
		Text:    `Both say what it holds. Keep one of them.`,
		Wrong:   `<script src="good.js">var a = 1;</script>`,
		Right:   `<script src="good.js"/>`,
	},
	{
		Code:     "delay-unit",
		Severity: doc.Warning,
		Title:    "A delay has no unit, or one that other engines do not know",
		Section:  "6.2.2",
		Text: `The REC requires a time of CSS2, which has the unit s or ms. This engine reads a
bare number as milliseconds; other engines read it as seconds, or refuse it. It also knows m, h and d,
of which a note says that others do not.`,
		Wrong: `<send event="tick" delay="500"/>`,
		Right: `<send event="tick" delay="500ms"/>`,
	},
	{
		Code:     "duplicate-data",
		Severity: doc.Warning,
		Title:    "Two data items have the same id",
		Section:  "5.3 and B.2",
		Text: `All data items of a document share one scope, even those of different
states. So there is one variable, with the value of the item that is initialised last.`,
		Wrong: `<datamodel><data id="n" expr="1"/><data id="n" expr="2"/></datamodel>`,
		Right: `<datamodel><data id="n" expr="1"/><data id="m" expr="2"/></datamodel>`,
	},
	{
		Code:     "empty-invoke",
		Severity: doc.Warning,
		Title:    "An <invoke> has nothing to invoke",
		Section:  "6.4.2",
		Text: `An SCXML document is in the file that src or srcexpr names, or in <content>. If
there is none, the invocation fails with error.execution. (A service of another type may do without.)`,
		Wrong: `<state id="on"><invoke id="child"/></state>`,
		Right: `<state id="on"><invoke id="child"><content><scxml version="1.0"><final/></scxml></content></invoke></state>`,
	},
	{
		Code:     "empty-target",
		Severity: doc.Warning,
		Title:    "A <send> has an empty target",
		Section:  "6.2.4 and C.1",
		Text: `The event goes to the session itself, as it does without the attribute. If
that is intended, leave the attribute out. If a target was forgotten, name it: "#_parent",
"#_internal", "#_" and the id of an <invoke>, or an address.`,
		Wrong: `<send event="go" target=""/>`,
		Right: `<send event="go"/>`,
	},
	{
		Code:    "expression-syntax",
		Title:   "An expression or a script has a syntax error",
		Section: "5.9",
		Text: `It can never be evaluated. The REC nevertheless lets a session run until it
gets there: then the session gets error.execution, and a condition counts as false. So this is an
error when a chart is checked, and a warning when it is run. The null data model has no expressions
except In(id) in a cond, and no scripts: others are a warning.`,
		Wrong: `<log expr="1 +"/>`,
		Right: `<log expr="1 + 1"/>`,
	},
	{
		Code:     "invoke-content",
		Severity: doc.Warning,
		Title:    "The <content> of an <invoke> is not one document",
		Section:  "6.4.3",
		Text: `What is invoked is one <scxml> element, alone in <content>. With anything beside it,
or with other text, the invocation fails with error.execution.`,
		Wrong: `<state id="on"><invoke><content><data id="n"/><scxml version="1.0"><final/></scxml></content></invoke></state>`,
		Right: `<state id="on"><invoke><content><scxml version="1.0"><final/></scxml></content></invoke></state>`,
	},
	{
		Code:    "misplaced-else",
		Title:   "<else> or <elseif> follows the <else>",
		Section: "4.3 to 4.5",
		Text: `<elseif> and <else> are empty elements that divide the content of <if>. The
part after <else> is the last.`,
		Wrong: `<if cond="a"><else/><log label="1"/><elseif cond="b"/><log label="2"/></if>`,
		Right: `<if cond="a"><elseif cond="b"/><log label="2"/><else/><log label="1"/></if>`,
	},
	{
		Code:    "unknown-datamodel",
		Title:   "The data model is unknown",
		Section: "3.2.1 and B",
		Text: `The built-in data models are "ecmascript", which is the default, and "null".
A program that embeds the engine can add others; the command has no others.`,
		Wrong: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="xpath"><final/></scxml>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><final/></scxml>`,
	},
	{
		Code:     "unknown-type",
		Severity: doc.Warning,
		Title:    "The type of a <send> or <invoke> is nearly one that is known",
		Section:  "6.2.5 and 6.4.2",
		Text: `Every session sends to "scxml" and "basichttp", and invokes "scxml"; hosts add
other types. If the host has none of this name, the element fails with error.execution.`,
		Wrong: `<invoke type="scxm" src="child.scxml"/>`,
		Right: `<invoke type="scxml" src="child.scxml"/>`,
	},
}
