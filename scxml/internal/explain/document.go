package explain

import "github.com/scxmlrun/scxmlrun/scxml/internal/doc"

// ofDocument explains what is wrong with states, transitions and ids, and
// with elements and attributes in general.
var ofDocument = []Explanation{
	{
		Code:    "conflicting-attributes",
		Title:   "Two attributes exclude each other",
		Section: "5.3, 5.7, 6.2, 6.3, 6.4",
		Text: `Most of these are pairs of a literal and an expression that computes it,
such as event and eventexpr; only one of them may be given. A <send> to "#_internal" may not have a
delay, because such an event is put into the queue at once.`,
		Wrong: `<send event="tick" eventexpr="name"/>`,
		Right: `<send eventexpr="name"/>`,
	},
	{
		Code:    "conflicting-initial",
		Title:   "A state has an attribute initial and an <initial> element",
		Section: "3.3.1",
		Text:    `Both say where the state begins. Keep <initial> if it contains actions, otherwise the attribute.`,
		Wrong: `<state id="game" initial="idle">
  <initial><transition target="idle"/></initial>
  <state id="idle"/>
</state>`,
		Right: `<state id="game" initial="idle">
  <state id="idle"/>
</state>`,
	},
	{
		Code:    "duplicate-element",
		Title:   "An element appears twice where one is allowed",
		Section: "3.2 to 3.10, 5.5, 6.2, 6.4",
		Text: `A state has at most one <initial>, one <datamodel> and one <donedata>;
<initial> and <history> have one <transition>; <send>, <invoke> and <donedata> have one <content>.
Join the two.`,
		Wrong: `<state id="on">
  <datamodel><data id="a"/></datamodel>
  <datamodel><data id="b"/></datamodel>
</state>`,
		Right: `<state id="on">
  <datamodel><data id="a"/><data id="b"/></datamodel>
</state>`,
	},
	{
		Code:    "duplicate-id",
		Title:   "Two states have the same id",
		Section: "3.14",
		Text: `An id must be unique in the whole document, not only among siblings.
Otherwise a target would be ambiguous.`,
		Wrong: `<state id="on"/>
<state id="on"/>`,
		Right: `<state id="on"/>
<state id="off"/>`,
	},
	{
		Code:     "empty-attribute",
		Severity: doc.Warning,
		Title:    "An attribute is empty and is ignored",
		Section:  "3.2 to 3.10",
		Text: `An empty value is not legal here. The attribute is treated as absent, which
is what some editors mean by it.`,
		Wrong: `<transition event="go" target="t" type=""/>`,
		Right: `<transition event="go" target="t"/>`,
	},
	{
		Code:     "empty-transition",
		Severity: doc.Warning,
		Title:    "A transition has neither event nor cond nor target",
		Section:  "3.5.1",
		Text: `It is always enabled and leads nowhere: the session takes it again and
again, until an earlier transition is enabled. The REC requires at least one of the three. Often an
attribute is misspelt, which another warning reports.`,
		Wrong: `<transition><log label="here"/></transition>`,
		Right: `<transition event="go"><log label="here"/></transition>`,
	},
	{
		Code:    "history-loop",
		Title:   "The defaults of histories lead to each other",
		Section: "3.10.2",
		Text: `A history that has nothing to remember yet goes to its default. If the
defaults lead back to it, it leads nowhere.`,
		Wrong: `<state id="s">
  <history id="h"><transition target="h"/></history>
  <state id="a"/>
</state>`,
		Right: `<state id="s">
  <history id="h"><transition target="a"/></history>
  <state id="a"/>
</state>`,
	},
	{
		Code:    "illegal-default",
		Title:   "The default of an <initial> or <history> is not legal",
		Section: "3.6 and 3.10.2",
		Text: `It is one <transition> with a target and without event and cond, because it
is always taken. The target of an <initial> or a <history> lies inside the state.`,
		Wrong: `<state id="s">
  <history id="h"><transition event="go" target="a"/></history>
  <state id="a"/>
</state>`,
		Right: `<state id="s">
  <history id="h"><transition target="a"/></history>
  <state id="a"/>
</state>`,
	},
	{
		Code:    "illegal-event",
		Title:   "The name of an event, or an event descriptor, is not legal",
		Section: "3.12.1",
		Text: `A descriptor is made of tokens with dots between them. It matches all events
whose name begins with these tokens, so that "error" and "error.*" mean the same; "*" alone matches
every event. There are no other wildcards. <raise> and <send> have the name of one event, without
wildcard and without blanks.`,
		Wrong: `<transition event="err*" target="t"/>`,
		Right: `<transition event="error.*" target="t"/>`,
	},
	{
		Code:    "illegal-id",
		Title:   "An id is empty or contains white space",
		Section: "3.14",
		Text: `Lists of ids, such as target="a b", are split at white space, so that
nothing could refer to this one.`,
		Wrong: `<state id="all on"/>`,
		Right: `<state id="allOn"/>`,
	},
	{
		Code:    "illegal-initial",
		Title:   "Initial states that cannot be entered",
		Section: "3.3.1 and 3.11",
		Text: `The initial states of a state lie inside it, and a state without child
states has none. Of several, any two lie in different regions of a <parallel>: a session is in one
child of a <state> at a time.`,
		Wrong: `<state id="on" initial="off"><state id="low"/></state>
<state id="off"/>`,
		Right: `<state id="on" initial="low"><state id="low"/></state>
<state id="off"/>`,
	},
	{
		Code:    "illegal-target",
		Title:   "Targets that cannot be entered together",
		Section: "3.11",
		Text: `After a transition the session is in all of its targets. That is possible
only if any two of them lie in different regions of a <parallel>.`,
		Wrong: `<state id="on"><transition event="go" target="on off"/></state>
<state id="off"/>`,
		Right: `<state id="on"><transition event="go" target="off"/></state>
<state id="off"/>`,
	},
	{
		Code:    "illegal-value",
		Title:   "An attribute has an illegal value",
		Section: "3.2, 3.5, 3.10, 6.2, 6.4",
		Text: `binding is "early" or "late", type of <transition> "external" or "internal",
type of <history> "shallow" or "deep", autoforward "true" or "false", version "1.0", and a delay a
time such as "1s", ".5s" or "500ms".`,
		Wrong: `<send event="tick" delay="soon"/>`,
		Right: `<send event="tick" delay="500ms"/>`,
	},
	{
		Code:    "misplaced-element",
		Title:   "An element is in the wrong place",
		Section: "3.2 to 3.10, 4, 5, 6",
		Text: `The REC lists the children of each element. Executable content belongs in
<onentry>, <onexit> or <transition>, never in a state itself. <finalize> may contain neither <send>
nor <raise>.`,
		Wrong: `<state id="on"><log label="here"/></state>`,
		Right: `<state id="on"><onentry><log label="here"/></onentry></state>`,
	},
	{
		Code:    "missing-attribute",
		Title:   "A required attribute is missing",
		Section: "4.2 to 4.6, 5.3, 5.4, 5.7, 6.3",
		Text: `The element has no meaning without it. If another attribute was probably
meant to be this one (misspelt, or named as in an early draft of SCXML or another engine), the
message says which.`,
		Wrong: `<raise/>`,
		Right: `<raise event="go"/>`,
	},
	{
		Code:     "missing-event",
		Severity: doc.Warning,
		Title:    "A <send> has no event",
		Section:  "6.2.2",
		Text: `An event that goes to an SCXML session needs a name, in event or eventexpr.
Without one nothing is sent, and the chart gets error.execution. (A message of another type may do
without.)`,
		Wrong: `<send namelist="a"/>`,
		Right: `<send event="e" namelist="a"/>`,
	},
	{
		Code:     "missing-version",
		Severity: doc.Warning,
		Title:    "<scxml> has no version",
		Section:  "3.2.1",
		Text: `The attribute version is required and has the value "1.0". This engine runs
the chart anyway; others may not.`,
		Wrong: `<scxml xmlns="http://www.w3.org/2005/07/scxml"><final/></scxml>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:     "no-namespace",
		Severity: doc.Warning,
		Title:    "An element of SCXML is not in a namespace and is ignored",
		Section:  "A.1",
		Text: `An xmlns="" on the element or around it takes it out of SCXML's namespace,
and elements of other namespaces are ignored.`,
		Wrong: `<state id="on"><state id="low" xmlns=""/></state>`,
		Right: `<state id="on"><state id="low"/></state>`,
	},
	{
		Code:     "nonconforming",
		Severity: doc.Warning,
		Title:    "Something that the REC forbids, but whose meaning is clear",
		Section:  "3.2.2 and 3.10.2",
		Text: `This engine runs it, others may not: a <transition> in <scxml>, which
applies to all states; and a shallow history whose default is not a child of the state around it but
lies deeper.`,
		Wrong: `<state id="s">
  <history id="h"><transition target="b"/></history>
  <state id="a"><state id="b"/></state>
</state>`,
		Right: `<state id="s">
  <history id="h" type="deep"><transition target="b"/></history>
  <state id="a"><state id="b"/></state>
</state>`,
	},
	{
		Code:    "no-state",
		Title:   "The chart has no state",
		Section: "3.2.2",
		Text:    `<scxml> must have at least one child that is a <state>, a <parallel> or a <final>.`,
		Wrong:   `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"/>`,
		Right:   `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="on"/></scxml>`,
	},
	{
		Code:     "odd-event",
		Severity: doc.Warning,
		Title:    "The name of an event contains a comma, a quote, a bracket or a slash",
		Section:  "3.12.1",
		Text: `The attribute event holds names, not an expression, and not a label of UML
such as "coin [ok] / unlock()". Quotes, commas and brackets are parts of a name, and there is no
such event. A transition may have several descriptors, separated by blanks; <raise> and <send> have
one event.`,
		Wrong: `<transition event="start, stop" target="t"/>`,
		Right: `<transition event="start stop" target="t"/>`,
	},
	{
		Code:     "stray-text",
		Severity: doc.Warning,
		Title:    "There is text where only elements are allowed",
		Section:  "3 to 6",
		Text:     `The text is ignored. Write it as a comment, or find the tag that lost its "<".`,
		Wrong:    `<state id="on">the lamp burns</state>`,
		Right:    `<state id="on"><!-- the lamp burns --></state>`,
	},
	{
		Code:     "unknown-attribute",
		Severity: doc.Warning,
		Title:    "SCXML has no such attribute on this element",
		Section:  "3 to 6",
		Text: `It is ignored. Most of the time the name is misspelt, or it is one of an
early draft of SCXML, such as initialstate for initial, or of another engine. Put your own
attributes in a separate namespace: those are ignored without a warning.`,
		Wrong: `<transition event="go" traget="t" target="t"/>`,
		Right: `<transition event="go" target="t"/>`,
	},
	{
		Code:    "unknown-element",
		Title:   "SCXML has no such element",
		Section: "3 to 6",
		Text: `Most of the time the name is misspelt, or it is one of an early draft of
SCXML, such as <event> for <raise>, or of another engine. Put your own elements in a separate
namespace: outside executable content, those are ignored.`,
		Wrong: `<state id="on"><onentri/></state>`,
		Right: `<state id="on"><onentry/></state>`,
	},
	{
		Code:    "unknown-target",
		Title:   "A target is not the id of a state",
		Section: "3.14",
		Text: `Targets and initial states name states, histories too, by their attribute
id. Upper and lower case differ.`,
		Wrong: `<state id="on"><transition event="go" target="of"/></state>
<state id="off"/>`,
		Right: `<state id="on"><transition event="go" target="off"/></state>
<state id="off"/>`,
	},
	{
		Code:     "unusual-id",
		Severity: doc.Warning,
		Title:    "An id is not an XML name",
		Section:  "3.14",
		Text: `The REC requires the type ID of XML Schema: a letter or "_" first, then also
digits, "-" and ".". This engine accepts other ids; others may not.`,
		Wrong: `<state id="1st"/>`,
		Right: `<state id="first"/>`,
	},
	{
		Code:    "wrong-namespace",
		Title:   "<scxml> is not in the namespace of SCXML",
		Section: "3.2.1 and A.1",
		Text: `An element belongs to SCXML by its namespace, not by its name alone. The
namespace must be written exactly like this.`,
		Wrong: `<scxml version="1.0"><final/></scxml>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:    "wrong-root",
		Title:   "The root element is not <scxml>",
		Section: "3.2",
		Text:    `The file is some other XML, or the name is misspelt.`,
		Wrong:   `<scmxl xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scmxl>`,
		Right:   `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
}
