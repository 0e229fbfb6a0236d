package explain

import "github.com/scxmlrun/scxmlrun/scxml/internal/doc"

// ofLint explains what package lint finds.
var ofLint = []Explanation{
	{
		Code:     "cond-assigns",
		Severity: doc.Warning,
		Title:    "A condition changes data",
		Section:  "5.9.1",
		Text: `Conditions are evaluated whenever a transition might be taken, also if it is not taken in the end, so what they change
depends on the order of things that should not matter. To compare, write "==" or "===". To change data, write an <assign>.`,
		Wrong: `<transition cond="x = 1" target="t"/>`,
		Right: `<transition cond="x == 1" target="t"/>`,
	},
	{
		Code:     "event-not-taken",
		Severity: doc.Warning,
		Title:    "An event is raised that no transition takes",
		Section:  "3.12 and 4.2",
		Text: `<raise>, and <send> to "#_internal", put an event into the internal queue, which nobody outside of the session sees. If
no transition of the chart has a descriptor for it, it has no effect. (A <send> without target is another matter: hosts listen to it.)`,
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
		Text: `The first transition of a state, in document order, that matches the event and whose condition holds is taken. One
without cond therefore hides all behind it for the same events; and a transition with neither event nor cond is taken before any
event is looked at. Put the special case before the general one.`,
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
		Text: `Neither the state nor one around it has a transition or an <invoke>. A session that comes there ignores every event and
does not end. A <final> says that this is the end: the session ends, and its parent gets done.invoke.`,
		Wrong: `<state id="a"><transition event="go" target="b"/></state>
<state id="b"/>`,
		Right: `<state id="a"><transition event="go" target="b"/></state>
<final id="b"/>`,
	},
	{
		Code:     "not-portable",
		Severity: doc.Warning,
		Title:    "Another engine does not support this",
		Section:  "",
		Text: `Reported only for the engines that were asked for, and only what their documentation says or a test has shown. The
chart is right all the same.`,
		Wrong: `<state id="a"><invoke srcexpr="name"/></state>`,
		Right: `<state id="a"><invoke src="child.scxml"/></state>`,
	},
	{
		Code:     "unknown-in",
		Severity: doc.Warning,
		Title:    "In() asks for a state that is not there",
		Section:  "5.9.1 and B.2",
		Text:     `In(id) is true if the session is in the state of that id. No state has this one, so it is always false.`,
		Wrong: `<state id="on"><transition cond="In('of')" target="off"/></state>
<final id="off"/>`,
		Right: `<state id="on"><transition cond="In('off')" target="off"/></state>
<final id="off"/>`,
	},
	{
		Code:     "unreachable-state",
		Severity: doc.Warning,
		Title:    "A state can never be entered",
		Section:  "3.13",
		Text: `No transition that could ever be taken leads to it, and no initial state or history either. Every transition counts
whose source can be entered, whatever its cond says. What lies inside of the state is not reported once more.`,
		Wrong: `<state id="a"><transition event="go" target="c"/></state>
<state id="b"><transition event="go" target="c"/></state>
<final id="c"/>`,
		Right: `<state id="a"><transition event="go" target="b"/></state>
<state id="b"><transition event="go" target="c"/></state>
<final id="c"/>`,
	},
}
