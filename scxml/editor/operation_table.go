package editor

import "sync"

// Arguments that several operations have.
var (
	ofState  = Argument{Name: "state", Text: "the state", Required: true}
	newID    = Argument{Name: "id", Text: "the id of the new state, which no other has", Required: true}
	ofKind   = Argument{Name: "kind", Text: "what the state becomes; a history is shallow unless it is deep", Values: []string{"state", "parallel", "final", "history", "deep-history"}}
	ofMove   = Argument{Name: "transition", Text: `the transition, such as "a/1"`, Required: true}
	actions  = Argument{Name: "actions", Text: "executable content as XML without a namespace prefix; nothing removes it"}
	eventArg = Argument{Name: "event", Text: "the event descriptors, separated by spaces; nothing makes the transition eventless"}
	condArg  = Argument{Name: "cond", Text: "the condition; nothing means always"}
	toArg    = Argument{Name: "to", Text: "the targets, separated by spaces; nothing makes the transition targetless"}
	typeArg  = Argument{Name: "type", Text: "the type of the transition", Values: []string{"external", "internal"}}
	afterArg = Argument{Name: "after", Text: "the child state that comes before it; without it, it becomes the last"}
	usesArg  = Argument{Name: "uses", Text: "what becomes of what refers to it: with refuse, nothing is deleted if there is anything", Values: []string{"refuse", "delete", "keep"}}
	numberOf = Argument{Name: "number", Text: "which of several, from 1; the first one without it"}
)

// operationKinds returns the table of all operations: what is not in it cannot be done.
var operationKinds = sync.OnceValue(func() []OperationKind {
	in := Argument{Name: "in", Text: "the state that it becomes a child of; the chart without it"}
	required := func(a Argument) Argument { a.Required = true; return a }
	def := Argument{Name: "to", Text: "for a history, its default: the first state next to it without it"}
	return []OperationKind{
		// States.
		{"add-state", "Adds a state in another one, or in the chart.", []Argument{in, newID, ofKind, def, afterArg}, (*draft).addState},
		{"add-state-beside", "Adds a state after another one.", []Argument{ofState, newID, ofKind, def}, (*draft).addBeside},
		{"add-region", "Adds a region to a state, which becomes parallel. Its child states become those of a region of their own.", []Argument{
			ofState, newID, {Name: "rest", Text: "the id of the region for the child states that are there"}}, (*draft).addRegion},
		{"group-states", "Puts neighbouring states into a new one.", []Argument{
			{Name: "states", Text: "the states, separated by spaces", Required: true}, newID,
			{Name: "kind", Text: "what the new state is", Values: []string{"state", "parallel"}}}, (*draft).groupStates},
		{"ungroup-state", "Puts the child states of a state in its place. What leads to it then leads to the one that was entered by default.", []Argument{ofState}, (*draft).ungroup},
		{"paste-states", "Adds copied states, with other ids where theirs are taken.", []Argument{in,
			{Name: "text", Text: "states as XML", Required: true}, afterArg}, (*draft).paste},
		{"duplicate-state", "Adds a copy of a state after it.", []Argument{ofState}, (*draft).duplicateState},
		{"move-state", "Moves a state into another one, or into the chart.", []Argument{ofState, in, afterArg}, (*draft).moveState},
		{"order-state", "Moves a state among the children of its parent. The first one is entered by default unless the parent says otherwise.", []Argument{ofState,
			{Name: "before", Text: "the child state that comes after it; without it, it becomes the last"}}, (*draft).orderState},
		{"rename-state", "Gives a state another id, everywhere.", []Argument{ofState, {Name: "to", Text: "the id", Required: true}}, (*draft).renameState},
		{"set-kind", "Makes a state a parallel, a final, a history, or a plain one.", []Argument{ofState, required(ofKind), def}, (*draft).setKind},
		{"make-initial", "Makes a state the one that its parent enters by default.", []Argument{ofState}, (*draft).makeInitial},
		{"set-initial", "Says which descendants a state enters by default.", []Argument{
			{Name: "state", Text: "the state; the chart without it"},
			{Name: "to", Text: "descendants, separated by spaces; the first child without it"}}, (*draft).setInitial},
		{"set-initial-actions", "Says what is executed when a state enters its default.", []Argument{ofState, actions}, (*draft).setInitialActions},
		{"delete-state", "Deletes a state with all that is in it.", []Argument{ofState, usesArg}, (*draft).deleteState},
		{"set-onentry", "Says what is executed when a state is entered.", []Argument{ofState, actions, numberOf}, func(w *draft) error { return w.setHandler("onentry") }},
		{"set-onexit", "Says what is executed when a state is left.", []Argument{ofState, actions, numberOf}, func(w *draft) error { return w.setHandler("onexit") }},
		{"add-onentry", "Adds another block that is executed when a state is entered.", []Argument{ofState, required(actions)}, func(w *draft) error { return w.addHandler("onentry") }},
		{"add-onexit", "Adds another block that is executed when a state is left.", []Argument{ofState, required(actions)}, func(w *draft) error { return w.addHandler("onexit") }},
		{"add-comment", "Adds a comment before a state.", []Argument{ofState, {Name: "text", Text: "the text", Required: true}}, (*draft).addComment},

		// Transitions.
		{"add-transition", "Adds a transition to a state, as the last one.", []Argument{
			{Name: "from", Text: "the state", Required: true}, toArg, eventArg, condArg, typeArg, actions}, (*draft).addTransition},
		{"set-event", "Says which events a transition takes.", []Argument{ofMove, eventArg}, (*draft).setEvent},
		{"set-cond", "Says on which condition a transition is taken.", []Argument{ofMove, condArg}, func(w *draft) error { return w.setOfTransition("cond", w.args["cond"]) }},
		{"set-target", "Says where a transition leads.", []Argument{ofMove, toArg}, (*draft).setTarget},
		{"set-type", "Says whether a transition is internal.", []Argument{ofMove, typeArg}, (*draft).setType},
		{"set-actions", "Says what is executed when a transition is taken.", []Argument{ofMove, actions}, (*draft).setActions},
		{"move-transition", "Makes a transition one of another state.", []Argument{ofMove, {Name: "from", Text: "the state", Required: true}}, (*draft).moveTransition},
		{"order-transition", "Moves a transition among those of its state: the first one that can be taken is.", []Argument{ofMove,
			{Name: "before", Text: "the number of the transition that comes after it; without it, it becomes the last"}}, (*draft).orderTransition},
		{"duplicate-transition", "Adds a copy of a transition after it.", []Argument{ofMove}, (*draft).duplicateTransition},
		{"paste-transitions", "Adds copied transitions to a state, as the last ones.", []Argument{
			{Name: "from", Text: "the state", Required: true}, {Name: "text", Text: "transitions as XML", Required: true}}, (*draft).pasteTransitions},
		{"delete-transition", "Deletes a transition.", []Argument{ofMove}, (*draft).deleteTransition},
		{"rename-event", "Gives an event another name, where the chart sends and takes it.", []Argument{
			{Name: "event", Text: "the event", Required: true}, {Name: "to", Text: "its name", Required: true}}, func(w *draft) error { return w.renameWord(eventWord, "event") }},

		// Data, invocations and the chart.
		{"add-data", "Adds a data item to a state, or to the chart.", []Argument{in,
			{Name: "id", Text: "its name", Required: true}, {Name: "expr", Text: "an expression for its value"}}, (*draft).addData},
		{"set-data", "Gives a data item another value.", []Argument{
			{Name: "id", Text: "its name", Required: true}, {Name: "expr", Text: "an expression for its value; nothing removes it"}}, (*draft).setData},
		{"rename-data", "Gives a data item another name, everywhere.", []Argument{
			{Name: "id", Text: "its name", Required: true}, {Name: "to", Text: "its new name", Required: true}}, func(w *draft) error { return w.renameWord(dataWord, "id") }},
		{"delete-data", "Deletes a data item.", []Argument{{Name: "id", Text: "its name", Required: true},
			{Name: "uses", Text: "what becomes of code that uses it: with refuse, nothing is deleted if there is any", Values: []string{"refuse", "keep"}}}, (*draft).deleteData},
		{"add-invoke", "Adds an invocation to a state.", []Argument{ofState, {Name: "id", Text: "its id"}, {Name: "type", Text: "its type; another chart without it"},
			{Name: "src", Text: "the document", Required: true}, {Name: "content", Text: "what is in it, such as <param>, as XML"}}, (*draft).addInvoke},
		{"delete-invoke", "Deletes an invocation of a state.", []Argument{ofState, numberOf}, (*draft).deleteInvoke},
		{"set-donedata", "Says which data the event has that a final state raises.", []Argument{ofState,
			{Name: "content", Text: "<param> or <content> elements as XML; nothing removes it"}}, (*draft).setDoneData},
		{"set-name", "Gives the chart a name.", []Argument{{Name: "name", Text: "the name; nothing removes it"}}, func(w *draft) error { w.setAttr(w.chart.root, "name", w.args["name"]); return nil }},
		{"set-datamodel", "Says in which language the chart has its expressions.", []Argument{{Name: "datamodel", Text: "the language", Required: true}},
			func(w *draft) error { w.setAttr(w.chart.root, "datamodel", w.args["datamodel"]); return nil }},
		{"set-script", "Says which code is executed when the chart starts.", []Argument{{Name: "script", Text: "the code; nothing removes it"}}, (*draft).setScript},
		{"format", "Indents the document by the nesting of its elements.", []Argument{{Name: "indent", Text: "the blanks of a level; two without it"}}, (*draft).format},
	}
})
