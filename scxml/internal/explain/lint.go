package explain

import "github.com/scxmlrun/scxmlrun/scxml/internal/doc"

// ofLint explains what package lint finds.
var ofLint = []Explanation{
	{
		Code:     "assigns-itself",
		Severity: doc.Warning,
		Title:    "An assignment has no effect",
		Section:  "5.4",
		Text: `The value of x++ is that of x before it is changed. If it is then assigned
to x, x has its old value again. The same holds for x--.`,
		Wrong: `<datamodel><data id="x" expr="0"/></datamodel>
<state id="a"><onentry><assign location="x" expr="x++"/></onentry></state>`,
		Right: `<datamodel><data id="x" expr="0"/></datamodel>
<state id="a"><onentry><assign location="x" expr="x + 1"/></onentry></state>`,
	},
	{
		Code:     "async-code",
		Severity: doc.Warning,
		Title:    "A script is asynchronous, and nothing waits for it",
		Section:  "5.8 and 5.9",
		Text: `Promises are settled at the end of the script that made them, and there are neither
timers nor requests for which one could wait longer. An answer from elsewhere is an event: the end of
an <invoke>, or the reply to a <send>.`,
		Wrong: `<script>async function price() { return await ask(); }</script>`,
		Right: `<state id="s"><invoke type="x-price"/><transition event="done.invoke" target="t"/></state><final id="t"/>`,
	},
	{
		Code:     "cond-assigns",
		Severity: doc.Warning,
		Title:    "A condition changes data",
		Section:  "5.9.1",
		Text: `Conditions are evaluated whenever a transition might be taken, even if it is
not taken in the end. So what they change depends on how often, and in which order, they are
evaluated. To compare, write "==" or "===". To change data, write an <assign>.`,
		Wrong: `<transition cond="x = 1" target="t"/>`,
		Right: `<transition cond="x == 1" target="t"/>`,
	},
	{
		Code:     "cond-constant",
		Severity: doc.Warning,
		Title:    "A condition is a text or a function, and so always true",
		Section:  "5.9.1",
		Text: `The value of a condition is converted to true or false. Every text except
the empty one, and every function, counts as true, whatever is written in it.`,
		Wrong: `<transition cond="'x == 1'" target="t"/>`,
		Right: `<transition cond="x == 1" target="t"/>`,
	},
	{
		Code:     "data-name",
		Severity: doc.Warning,
		Title:    "A data item, or a variable of <foreach>, has a name that scripts cannot use",
		Section:  "4.6, 5.3 and B.2.1",
		Text: `In the ECMAScript data model, each data item is a variable, and so are item and
index of a <foreach>. The name of one has letters, digits, "_" and "$", does not begin with a digit, and
is not a word of the language, such as class. With any other name, the element fails with
error.execution.`,
		Wrong: `<datamodel><data id="my-count" expr="0"/></datamodel>
<state id="a"/>`,
		Right: `<datamodel><data id="my_count" expr="0"/></datamodel>
<state id="a"/>`,
	},
	{
		Code:     "endless-loop",
		Severity: doc.Warning,
		Title:    "Transitions without event lead to each other endlessly",
		Section:  "3.13",
		Text: `A transition without event is taken at once whenever its condition holds,
before the next event is looked at. If such transitions always lead to each other, the macrostep
never ends, until the limit of microsteps stops the session. One of them needs an event, or a cond
that becomes false.`,
		Wrong: `<state id="a"><transition target="b"/></state>
<state id="b"><transition target="a"/></state>`,
		Right: `<state id="a"><transition event="go" target="b"/></state>
<state id="b"><transition event="go" target="a"/></state>`,
	},
	{
		Code:     "event-never-raised",
		Severity: doc.Warning,
		Title:    "A transition waits for an event that the engine never raises",
		Section:  "3.7, 3.12.2 and 6.4",
		Text: `The engine raises done.state.ID when the state enters a <final> that is its
child, or when all regions of the <parallel> have done so; done.invoke.ID when what the <invoke>
started has ended; and error.execution, error.communication and error.platform. Names such as
error.sensor belong to the platform, and the chart can raise them itself.`,
		Wrong: `<state id="work"><transition event="done.state.wrok" target="end"/><final/></state>
<final id="end"/>`,
		Right: `<state id="work"><transition event="done.state.work" target="end"/><final/></state>
<final id="end"/>`,
	},
	{
		Code:     "event-not-taken",
		Severity: doc.Warning,
		Title:    "An event is raised that no transition takes",
		Section:  "3.12 and 4.2",
		Text: `<raise>, and <send> to "#_internal", put an event into the internal queue,
which is invisible outside the session. If no transition of the chart has a descriptor for it, it
has no effect. Hosts listen to a <send> without target, so one with a delay is reported only if its
event is nearly one that a transition takes.`,
		Wrong: `<state id="a"><onentry><raise event="staart"/></onentry><transition event="start" target="b"/></state>
<final id="b"/>`,
		Right: `<state id="a"><onentry><raise event="start"/></onentry><transition event="start" target="b"/></state>
<final id="b"/>`,
	},
	{
		Code:     "never-taken",
		Severity: doc.Warning,
		Title:    "A transition is hidden by another one of the same state",
		Section:  "3.13",
		Text: `The first transition of a state, in document order, that matches the event
and whose condition holds is taken. One without cond therefore hides all that follow it for the same
events, and a transition with neither event nor cond is taken before any event is looked at. Put the
special case before the general one.`,
		Wrong: `<state id="a">
  <transition event="*" target="b"/>
  <transition event="stop" target="c"/>
</state>
<final id="b"/>
<final id="c"/>`,
		Right: `<state id="a">
  <transition event="stop" target="c"/>
  <transition event="*" target="b"/>
</state>
<final id="b"/>
<final id="c"/>`,
	},
	{
		Code:     "no-way-out",
		Severity: doc.Warning,
		Title:    "A state that is not final can never be left",
		Section:  "3.7",
		Text: `Neither the state nor one around it has a transition or an <invoke>. A
session that reaches it ignores every event and does not end. In a <final>, the session ends, and
its parent gets done.invoke. The warning comes once for a chart, and only if the chart has a
<final>, or otherwise returns to where it began.`,
		Wrong: `<state id="a"><transition event="go" target="b"/><transition event="stop" target="c"/></state>
<state id="b"/>
<final id="c"/>`,
		Right: `<state id="a"><transition event="go" target="b"/><transition event="stop" target="c"/></state>
<state id="b"><transition event="stop" target="c"/></state>
<final id="c"/>`,
	},
	{
		Code:     "not-evaluated",
		Severity: doc.Warning,
		Title:    "Content that reads like an expression is text",
		Section:  "5.4 and B.2.1",
		Text: `The content of <data> and <assign> is JSON, XML or text, and is never
evaluated. The attribute expr takes an expression.`,
		Wrong: `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><onentry><assign location="n">n + 1</assign></onentry></state>`,
		Right: `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><onentry><assign location="n" expr="n + 1"/></onentry></state>`,
	},
	{
		Code:     "not-json",
		Severity: doc.Warning,
		Title:    "Content in brackets is not JSON",
		Section:  "B.2.1",
		Text: `The content of <data>, <assign> and <content> is read as JSON or XML; what
is neither becomes a text. JSON has double quotes around names and texts, no comma after the last
entry, and no comments. The attribute expr takes any ECMAScript expression.`,
		Wrong: `<datamodel><data id="size">{width: 3, height: 4}</data></datamodel>`,
		Right: `<datamodel><data id="size">{"width": 3, "height": 4}</data></datamodel>`,
	},
	{
		Code:     "not-portable",
		Severity: doc.Warning,
		Title:    "Another engine does not support this",
		Section:  "",
		Text: `Reported only for the engines that were asked for, and only what their
documentation says or a test has shown. The chart is still correct.`,
		Wrong: `<state id="a"><invoke srcexpr="name"/></state>`,
		Right: `<state id="a"><invoke src="child.scxml"/></state>`,
	},
	{
		Code:     "computed-event",
		Severity: doc.Warning,
		Title:    "A host cannot tell an event of the chart from one of its users",
		Section:  "",
		Text: `Reported only with --strict. A host that takes events from users refuses
those that the chart sends itself; the rule is Chart.IsUserEvent of the Go package. It knows the
names that are in the document, but not those that eventexpr computes.`,
		Wrong: `<state id="a"><onentry><send eventexpr="'timeout.' + n" delay="5s"/></onentry>
  <transition event="timeout" target="b"/></state>
<state id="b"/>`,
		Right: `<state id="a"><onentry><send event="timeout" delay="5s"><param name="n" expr="n"/></send></onentry>
  <transition event="timeout" target="b"/></state>
<state id="b"/>`,
	},
	{
		Code:     "system-variable",
		Severity: doc.Warning,
		Title:    "A system variable is declared or assigned to",
		Section:  "5.10",
		Text: `_event, _sessionid, _name, _ioprocessors and _x belong to the engine. An
attempt to declare or change one of them, or a part of it, fails with error.execution.`,
		Wrong: `<state id="a"><onentry><assign location="_event.data" expr="1"/></onentry></state>`,
		Right: `<datamodel><data id="copy"/></datamodel>
<state id="a"><onentry><assign location="copy" expr="_event.data"/></onentry></state>`,
	},
	{
		Code:     "undeclared-location",
		Severity: doc.Warning,
		Title:    "A value is assigned to a variable that is not declared",
		Section:  "5.3 and 5.4",
		Text: `<assign> and idlocation change variables that are there already. Each is
declared by a <data>, by a script, or as item or index of a <foreach>. If it is not, the session
gets error.execution, and what follows in the same block is not executed.`,
		Wrong: `<datamodel><data id="count" expr="0"/></datamodel>
<state id="a"><onentry><assign location="cuont" expr="1"/></onentry></state>`,
		Right: `<datamodel><data id="count" expr="0"/></datamodel>
<state id="a"><onentry><assign location="count" expr="1"/></onentry></state>`,
	},
	{
		Code:     "undeclared-name",
		Severity: doc.Warning,
		Title:    "A variable or function is used that is not declared",
		Section:  "5.3, 5.8 and 5.9",
		Text: `No <data>, no script and no part of the language declares the name, so
evaluating it raises error.execution. Often a text lacks its quotes: expr="Hello" is a variable,
expr="'Hello'" a text. What browsers and Node add to the language, such as console and setTimeout,
is not here: SCXML has <log>, and <send> with a delay. Functions that a host adds with WithFunc are
named by check --declare or by LintOptions.Declared.`,
		Wrong: `<datamodel><data id="greeting" expr="Hello"/></datamodel>`,
		Right: `<datamodel><data id="greeting" expr="'Hello'"/></datamodel>`,
	},
	{
		Code:     "unknown-event-field",
		Severity: doc.Warning,
		Title:    "An expression reads a field that _event does not have",
		Section:  "5.10.1",
		Text: `_event has the fields name, type, sendid, origin, origintype, invokeid and
data; here also raw. What a <param>, a namelist, <content> or the host adds to an event is in
_event.data. Any other field is undefined.`,
		Wrong: `<state id="a"><transition event="pay" cond="_event.amount > 3" target="b"/></state>
<final id="b"/>`,
		Right: `<state id="a"><transition event="pay" cond="_event.data.amount > 3" target="b"/></state>
<final id="b"/>`,
	},
	{
		Code:     "unknown-in",
		Severity: doc.Warning,
		Title:    "In() asks for a state that does not exist",
		Section:  "5.9.1 and B.2",
		Text: `In(id) is true if the session is in the state of that id. No state has this
one, so it is always false.`,
		Wrong: `<state id="on"><transition cond="In('of')" target="off"/></state>
<final id="off"/>`,
		Right: `<state id="on"><transition cond="In('off')" target="off"/></state>
<final id="off"/>`,
	},
	{
		Code:     "unknown-send-target",
		Severity: doc.Warning,
		Title:    "The target of a <send> is not a session",
		Section:  "6.2.4 and C.1",
		Text: `Events go to sessions, not to states: each active state looks at an event
that arrives. Without target the event goes to the session itself. The others are "#_parent",
"#_internal" for the internal queue, "#_" with the id of an <invoke>, and "#_scxml_" with the id of
a session. Everything else is error.execution or error.communication.`,
		Wrong: `<state id="a"><onentry><send event="go" target="b"/></onentry></state>
<state id="b"/>`,
		Right: `<state id="a"><onentry><send event="go"/></onentry><transition event="go" target="b"/></state>
<state id="b"/>`,
	},
	{
		Code:     "unknown-sendid",
		Severity: doc.Warning,
		Title:    "A <cancel> names a <send> that does not exist",
		Section:  "6.3",
		Text: `The sendid of a <cancel> is the id of a <send>, not the name of its event. A
<cancel> for which there is no <send> does nothing.`,
		Wrong: `<state id="a"><onentry><send event="late" delay="5s"/></onentry><onexit><cancel sendid="late"/></onexit></state>`,
		Right: `<state id="a"><onentry><send event="late" id="late" delay="5s"/></onentry><onexit><cancel sendid="late"/></onexit></state>`,
	},
	{
		Code:     "unreachable-state",
		Severity: doc.Warning,
		Title:    "A state can never be entered",
		Section:  "3.13",
		Text: `No transition that could ever be taken leads to it, and no initial state or
history either. Every transition whose source can be entered counts, whatever its cond says. The
states inside it are not reported separately.`,
		Wrong: `<state id="a"><transition event="go" target="c"/></state>
<state id="b"><transition event="go" target="c"/></state>
<final id="c"/>`,
		Right: `<state id="a"><transition event="go" target="b"/></state>
<state id="b"><transition event="go" target="c"/></state>
<final id="c"/>`,
	},
}
