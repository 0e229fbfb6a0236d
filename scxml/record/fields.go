package record

// A field is a field of a record in both forms.
type field uint8

const (
	name field = iota
	data
	eventType
	sendID
	origin
	originType
	invokeID // of the event; the session's one is then written as "invokedas"
	raw
	target
	processor
	delay
	state
	source
	final
	configuration
	atomic
	events
	cond
	targets
	label
	location
	value
	doneData
	message
	element
	at
	stack
	count
	transitions
	event
	child
	chart
	reason
	answers // writes id too
	line
	due
	now
	protocol
	clock
	file
	model
	seed
	version
	restored
	fields
)

var fieldNames = [fields]string{
	name: "name", data: "data", eventType: "eventtype", sendID: "sendid", origin: "origin", originType: "origintype",
	invokeID: "invokeid", raw: "raw", target: "target", processor: "eventtype", delay: "delay_ms",
	state: "state", source: "source", final: "final", configuration: "configuration", atomic: "atomic",
	events: "events", cond: "cond", targets: "targets", label: "label", location: "location", value: "value", doneData: "data",
	message: "message", element: "element", at: "at", stack: "stack", count: "count", transitions: "transitions",
	event: "event", child: "child", chart: "chart", reason: "reason", answers: "answers", line: "line",
	due: "next_due_ms", now: "now", protocol: "protocol", clock: "clock", file: "file", model: "datamodel",
	seed: "seed", version: "scxmlrun", restored: "restored",
}

// A form is the form of a kind: its name in JSON, its word in text, and its fields.
type form struct {
	name, word string
	fields     []field
}

var (
	failure = []field{name, message, at, element, sendID, stack}
	resting = []field{answers, configuration, atomic, due}
	invoked = []field{invokeID, child, chart}
)

var forms = [kinds]form{
	Unknown:      {"unknown", "unknown", nil},
	Hello:        {"hello", "hello", []field{protocol, chart, clock, file, model, seed, version, restored}},
	Clock:        {"clock", "clock", []field{now}},
	Arrive:       {"arrive", "arrive", []field{name, data, eventType, sendID, origin, originType, invokeID, raw}},
	Outcome:      {"outcome", "outcome", append(failure[:len(failure):len(failure)], invokeID)},
	Stop:         {"stop", "stop", nil},
	Event:        {"event", "event", []field{name, data, eventType, sendID, origin, originType, invokeID}},
	Internal:     {"internal", "internal event", []field{name, data, eventType, sendID}},
	Cond:         {"cond", "cond", []field{source, events, cond, targets, at, value, message}},
	Unhandled:    {"unhandled", "unhandled", []field{name}},
	Microstep:    {"microstep", "microstep", []field{event, transitions}},
	Exit:         {"exit", "exit", []field{state}},
	Transition:   {"transition", "transition", []field{source, events, cond, targets, at}},
	Enter:        {"enter", "enter", []field{state}},
	Stable:       {"stable", "stable", []field{configuration, atomic}},
	Raise:        {"raise", "raise", []field{name, data, eventType, sendID}},
	Send:         {"send", "send", []field{name, data, target, processor, sendID, delay}},
	Timer:        {"timer", "due", []field{name, sendID, target, data}},
	Cancel:       {"cancel", "cancel", []field{sendID, count, answers}},
	Invoke:       {"invoke", "invoke", invoked},
	CancelInvoke: {"cancelinvoke", "cancelinvoke", invoked},
	Log:          {"log", "log", []field{label, value}},
	Error:        {"error", "error", failure},
	Done:         {"done", "done", []field{reason, final, doneData}},
	Value:        {"value", "value", []field{answers, location, value}},
	Rejected:     {"rejected", "rejected", []field{answers, line, message}},
	Idle:         {"idle", "idle", resting},
	Rest:         {"rest", "rest", resting[1:]},
}

// String returns the name of the kind in JSON.
func (k Kind) String() string {
	if k >= kinds {
		k = Unknown
	}
	return forms[k].name
}

var kindsByName, kindsByWord = func() (names, words map[string]Kind) {
	names, words = map[string]Kind{}, map[string]Kind{}
	for k := range forms {
		names[forms[k].name], words[forms[k].word] = Kind(k), Kind(k)
	}
	return names, words
}()
