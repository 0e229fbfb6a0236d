package doc

import "slices"

// A tag is one of the REC's elements.
type tag uint8

const (
	tagUnknown tag = iota
	tagScxml
	tagState
	tagParallel
	tagTransition
	tagInitial
	tagFinal
	tagOnEntry
	tagOnExit
	tagHistory
	tagRaise
	tagIf
	tagElseIf
	tagElse
	tagForeach
	tagLog
	tagDatamodel
	tagData
	tagAssign
	tagDonedata
	tagContent
	tagParam
	tagScript
	tagSend
	tagCancel
	tagInvoke
	tagFinalize
	numTags
)

// A tagSet is a set of elements.
type tagSet uint32

func tags(ts ...tag) (s tagSet) {
	for _, t := range ts {
		s |= 1 << t
	}
	return s
}

func (s tagSet) has(t tag) bool { return s&(1<<t) != 0 }

// executable is the executable content of REC 4, with <script> (5.8),
// <assign> (5.4), <send> and <cancel> (6.2, 6.3).
var executable = tags(tagRaise, tagIf, tagForeach, tagLog, tagAssign, tagScript, tagSend, tagCancel)

// A rule says what is allowed in an element.
type rule struct {
	name     string
	attrs    []string
	required []string
	apart    [][]string // groups of attributes that exclude each other
	children tagSet
	text     bool // text is allowed, as content
	any      bool // every element is allowed, as content
}

// rules holds the REC's tables "Attribute Details" and "Children".
var rules = [numTags]rule{
	tagScxml: { // REC 3.2
		name:     "scxml",
		attrs:    []string{"initial", "name", "version", "datamodel", "binding"},
		children: tags(tagState, tagParallel, tagFinal, tagDatamodel, tagScript),
	},
	tagState: { // REC 3.3
		name:     "state",
		attrs:    []string{"id", "initial"},
		children: tags(tagOnEntry, tagOnExit, tagTransition, tagInitial, tagState, tagParallel, tagFinal, tagHistory, tagDatamodel, tagInvoke),
	},
	tagParallel: { // REC 3.4
		name:     "parallel",
		attrs:    []string{"id"},
		children: tags(tagOnEntry, tagOnExit, tagTransition, tagState, tagParallel, tagHistory, tagDatamodel, tagInvoke),
	},
	tagTransition: { // REC 3.5
		name:     "transition",
		attrs:    []string{"event", "cond", "target", "type"},
		children: executable,
	},
	tagInitial: { // REC 3.6
		name:     "initial",
		children: tags(tagTransition),
	},
	tagFinal: { // REC 3.7
		name:     "final",
		attrs:    []string{"id"},
		children: tags(tagOnEntry, tagOnExit, tagDonedata),
	},
	tagOnEntry: {name: "onentry", children: executable}, // REC 3.8
	tagOnExit:  {name: "onexit", children: executable},  // REC 3.9
	tagHistory: { // REC 3.10
		name:     "history",
		attrs:    []string{"id", "type"},
		children: tags(tagTransition),
	},
	tagRaise: {name: "raise", attrs: []string{"event"}, required: []string{"event"}}, // REC 4.2
	tagIf: { // REC 4.3
		name:     "if",
		attrs:    []string{"cond"},
		required: []string{"cond"},
		children: executable | tags(tagElseIf, tagElse),
	},
	tagElseIf: {name: "elseif", attrs: []string{"cond"}, required: []string{"cond"}}, // REC 4.4
	tagElse:   {name: "else"},                                                        // REC 4.5
	tagForeach: { // REC 4.6
		name:     "foreach",
		attrs:    []string{"array", "item", "index"},
		required: []string{"array", "item"},
		children: executable,
	},
	tagLog:       {name: "log", attrs: []string{"label", "expr"}}, // REC 4.7
	tagDatamodel: {name: "datamodel", children: tags(tagData)},    // REC 5.2
	tagData: { // REC 5.3
		name:     "data",
		attrs:    []string{"id", "src", "expr"},
		required: []string{"id"},
		apart:    [][]string{{"src", "expr"}},
		text:     true,
		any:      true,
	},
	tagAssign: { // REC 5.4
		name:     "assign",
		attrs:    []string{"location", "expr"},
		required: []string{"location"},
		text:     true,
		any:      true,
	},
	tagDonedata: {name: "donedata", children: tags(tagContent, tagParam)},          // REC 5.5
	tagContent:  {name: "content", attrs: []string{"expr"}, text: true, any: true}, // REC 5.6
	tagParam: { // REC 5.7
		name:     "param",
		attrs:    []string{"name", "expr", "location"},
		required: []string{"name"},
		apart:    [][]string{{"expr", "location"}},
	},
	tagScript: {name: "script", attrs: []string{"src"}, text: true}, // REC 5.8
	tagSend: { // REC 6.2
		name: "send",
		attrs: []string{
			"event", "eventexpr", "target", "targetexpr", "type", "typeexpr",
			"id", "idlocation", "delay", "delayexpr", "namelist",
		},
		apart: [][]string{
			{"event", "eventexpr"}, {"target", "targetexpr"}, {"type", "typeexpr"},
			{"id", "idlocation"}, {"delay", "delayexpr"},
		},
		children: tags(tagContent, tagParam),
	},
	tagCancel: { // REC 6.3
		name:  "cancel",
		attrs: []string{"sendid", "sendidexpr"},
		apart: [][]string{{"sendid", "sendidexpr"}},
	},
	tagInvoke: { // REC 6.4
		name:     "invoke",
		attrs:    []string{"type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"},
		apart:    [][]string{{"type", "typeexpr"}, {"src", "srcexpr"}, {"id", "idlocation"}},
		children: tags(tagContent, tagParam, tagFinalize),
	},
	tagFinalize: {name: "finalize", children: executable}, // REC 6.5
}

var tagByName = func() map[string]tag {
	m := make(map[string]tag, numTags)
	for t := tagScxml; t < numTags; t++ {
		m[rules[t].name] = t
	}
	return m
}()

// String returns the name of the element.
func (t tag) String() string { return rules[t].name }

// homes returns the elements in which t is allowed.
func (t tag) homes() []string {
	var in []string
	for p := tagScxml; p < numTags; p++ {
		if rules[p].children.has(t) {
			in = append(in, "<"+rules[p].name+">")
		}
	}
	return in
}

// elementNames are the names of all elements, for near misses.
var elementNames = func() []string {
	var names []string
	for t := tagScxml; t < numTags; t++ {
		names = append(names, rules[t].name)
	}
	slices.Sort(names)
	return names
}()
