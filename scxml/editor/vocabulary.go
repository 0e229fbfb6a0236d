package editor

// A role says what the value of an attribute is.
type role uint8

const (
	plain       role = iota // text
	choice                  // one of a few values
	stateID                 // the id of a state: defines it
	targets                 // ids of states
	initials                // ids of states within the element
	descriptors             // events that a transition takes
	eventName               // an event that is sent
	dataID                  // the id of a data item: declares it
	variable                // a variable of <foreach>: declares it
	condition               // code
	expression              // code
	location                // code
	locations               // several pieces of code
	sendID                  // the id of a <send>: defines it
	sendRef                 // the id of a <send>
	invokeID                // the id of an <invoke>: defines it
	sendTarget              // where an event goes
	file                    // a file
)

// isCode reports whether the value is code of the data model.
func (r role) isCode() bool { return r >= condition && r <= locations }

// A term describes an element.
type term struct {
	section string // of the REC
	text    string
	attrs   map[string]attribute
}

// An attribute describes an attribute of an element.
type attribute struct {
	role   role
	text   string
	values []string // of a choice, the default first; otherwise values that are often meant
}

// The types of <send> and <invoke> that every processor knows (REC C.1, C.2 and 6.4.1).
const (
	scxmlEvents = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
	httpEvents  = "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"
	scxmlType   = "http://www.w3.org/TR/scxml/"
)

// vocabulary describes the elements of SCXML, in the order of the REC.
var vocabulary = map[string]term{
	"scxml": {"3.2", "The root of a chart. A session begins in its initial states and ends in a `<final>` that is its child.", map[string]attribute{
		"initial":   {role: initials, text: "The states in which a session begins. Without it, the first child in document order."},
		"name":      {text: "A name for the chart, which expressions see as `_name`."},
		"version":   {role: choice, text: "Always `1.0`. It is required.", values: []string{"1.0"}},
		"datamodel": {role: choice, text: "The language of the expressions. With `null` there is no data, and a condition can only ask `In('state')`.", values: []string{"ecmascript", "null"}},
		"binding":   {role: choice, text: "When data items get their values: `early`, all of them at the start; `late`, those of a state when it is first entered.", values: []string{"early", "late"}},
	}},
	"state": {"3.3", "A state. If it has child states, exactly one of them is active while it is active.", map[string]attribute{
		"id":      {role: stateID, text: "The name of the state, for targets and `In()`. No other state may have it."},
		"initial": {role: initials, text: "The descendants that are entered with this state. Without it, and without an `<initial>`, that is the first child."},
	}},
	"parallel": {"3.4", "A state whose children, the regions, are all active while it is active. When every region is in a `<final>` child, the event `done.state.ID` is raised.", map[string]attribute{
		"id": {role: stateID, text: "The name of the state, for targets and `In()`. No other state may have it."},
	}},
	"transition": {"3.5", "Where an event leads. Of the transitions of a state, the first in document order that matches the event and whose condition holds is taken; inner states come before outer ones.", map[string]attribute{
		"event":  {role: descriptors, text: "The events that the transition takes, separated by spaces. `order` also takes `order.paid`; `*` takes every event. Without it, the transition needs no event: it is taken as soon as its condition holds."},
		"cond":   {role: condition, text: "A condition. The transition is taken only if it holds; one that fails counts as false and raises `error.execution`."},
		"target": {role: targets, text: "The states to enter: more than one only in different regions of a `<parallel>`. Without it, nothing is left or entered, and only the content is executed."},
		"type":   {role: choice, text: "`internal` does not leave a compound source state if all targets are within it; `external` does.", values: []string{"external", "internal"}},
	}},
	"initial": {"3.6", "The default transition of a compound state. In contrast to the attribute `initial`, it can have content.", nil},
	"final":   {"3.7", "A state that ends its parent: when it is entered, `done.state.PARENT` is raised. As a child of `<scxml>`, it ends the session.", map[string]attribute{"id": {role: stateID, text: "The name of the state, for targets and `In()`. No other state may have it."}}},
	"onentry": {"3.8", "What is executed when the state is entered.", nil},
	"onexit":  {"3.9", "What is executed when the state is left.", nil},
	"history": {"3.10", "Stands for the states that were active when its parent was last left. Its transition says what is entered the first time.", map[string]attribute{
		"id":   {role: stateID, text: "The name for targets. No state may have it."},
		"type": {role: choice, text: "`shallow` remembers the active children of its parent, `deep` the active atomic descendants.", values: []string{"shallow", "deep"}},
	}},
	"raise": {"4.2", "Puts an event into the internal queue of the session. It is taken before any event from outside.", map[string]attribute{
		"event": {role: eventName, text: "The name of the event."},
	}},
	"if":     {"4.3", "Executes its content up to `<elseif>` or `<else>` if the condition holds, and otherwise the content after the first of them that applies.", map[string]attribute{"cond": {role: condition, text: "The condition."}}},
	"elseif": {"4.4", "Separates the parts of an `<if>`. It is empty: what follows it is executed if its condition is the first that holds.", map[string]attribute{"cond": {role: condition, text: "The condition."}}},
	"else":   {"4.5", "Separates the last part of an `<if>`. It is empty: what follows it is executed if no condition holds.", nil},
	"foreach": {"4.6", "Executes its content once for each element of an array. It works on a shallow copy, so the content can change the array.", map[string]attribute{
		"array": {role: expression, text: "An expression whose value is the array."},
		"item":  {role: variable, text: "The variable that holds the element. It is declared if it does not exist."},
		"index": {role: variable, text: "The variable that holds the index, from 0. It is declared if it does not exist."},
	}},
	"log": {"4.7", "Writes a message for the developer.", map[string]attribute{
		"label": {text: "A text that goes before the value."},
		"expr":  {role: expression, text: "An expression whose value is logged."},
	}},
	"datamodel": {"5.2", "Holds the data items of a chart or state. All of them are visible everywhere in the chart.", nil},
	"data": {"5.3", "Declares a data item. Its value is that of `expr`, the file `src`, or its content, which is JSON, XML or text.", map[string]attribute{
		"id":   {role: dataID, text: "The name of the variable."},
		"src":  {role: file, text: "A file with the value, relative to the document."},
		"expr": {role: expression, text: "An expression for the value."},
	}},
	"assign": {"5.4", "Changes data. The value is that of `expr`, or the content.", map[string]attribute{
		"location": {role: location, text: "What to change: a data item, or a property of one."},
		"expr":     {role: expression, text: "An expression for the value."},
	}},
	"donedata": {"5.5", "The data of the event that is raised when this `<final>` is entered.", nil},
	"content":  {"5.6", "Data as one value: that of `expr`, or the content itself. In `<invoke>`, it is the document to invoke.", map[string]attribute{"expr": {role: expression, text: "An expression for the value."}}},
	"param": {"5.7", "A named value for an event or an invoked session.", map[string]attribute{
		"name":     {text: "The name of the value: the receiver finds it in `_event.data`. An invoked chart needs a top-level `<data>` of that name."},
		"expr":     {role: expression, text: "An expression for the value."},
		"location": {role: location, text: "The data item that has the value."},
	}},
	"script": {"5.8", "Code of the data model. In `<scxml>` it is executed once, at the start; elsewhere like other executable content.", map[string]attribute{"src": {role: file, text: "A file with the code, relative to the document. It is read when the chart is loaded."}}},
	"send": {"6.2", "Sends an event, perhaps after a delay. Without a target, it goes to the session's own external queue.", map[string]attribute{
		"event":      {role: eventName, text: "The name of the event."},
		"eventexpr":  {role: expression, text: "An expression for the name of the event."},
		"target":     {role: sendTarget, text: "Where the event goes: `#_internal` is the internal queue, `#_parent` the session that invoked this one, `#_ID` the one invoked with that id."},
		"targetexpr": {role: expression, text: "An expression for the target."},
		"type":       {text: "The I/O processor that delivers the event. The default is the one for sessions.", values: []string{scxmlEvents, httpEvents}},
		"typeexpr":   {role: expression, text: "An expression for the type."},
		"id":         {role: sendID, text: "A name with which `<cancel>` can stop the event while it waits."},
		"idlocation": {role: location, text: "The data item that gets an id which the session makes."},
		"delay":      {text: "How long the event waits: a number with `s` or `ms`.", values: []string{"1s", "500ms"}},
		"delayexpr":  {role: expression, text: "An expression for the delay, such as `n + 's'`."},
		"namelist":   {role: locations, text: "Data items, separated by spaces, that go with the event under their names."},
	}},
	"cancel": {"6.3", "Stops an event that was sent with a delay and has not been delivered.", map[string]attribute{
		"sendid":     {role: sendRef, text: "The id of the `<send>`."},
		"sendidexpr": {role: expression, text: "An expression for the id."},
	}},
	"invoke": {"6.4", "Runs another chart, or a service, while the state is active. It starts when the macrostep ends and stops when the state is left. When it ends by itself, `done.invoke.ID` comes.", map[string]attribute{
		"type":        {text: "What is invoked. The default is another chart.", values: []string{scxmlType}},
		"typeexpr":    {role: expression, text: "An expression for the type."},
		"src":         {role: file, text: "The document to invoke, relative to this one."},
		"srcexpr":     {role: expression, text: "An expression for the document."},
		"id":          {role: invokeID, text: "A name for the target `#_ID` and the event `done.invoke.ID`."},
		"idlocation":  {role: location, text: "The data item that gets an id which the session makes."},
		"namelist":    {role: locations, text: "Data items, separated by spaces, whose values the invoked session gets under their names."},
		"autoforward": {role: choice, text: "Whether every external event also goes to the invoked session.", values: []string{"false", "true"}},
	}},
	"finalize": {"6.5", "What is executed when an event of the invoked session is taken from the queue, before transitions are looked for. It is there to update data, and cannot send or raise.", nil},
}
