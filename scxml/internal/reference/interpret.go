package reference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// interpret is the beginning of procedure interpret. The parser does its validation, and Step
// drives mainEventLoop.
func (s *Session) interpret() {
	// REC 5.3.3: all data items exist from the start. With late binding those of a state get their
	// values when it is first entered.
	for _, state := range s.chart.Doc.States {
		for _, d := range state.Data {
			if err := s.store.Declare(d.ID); err != nil {
				s.error("data", "", err)
			}
		}
	}
	for _, state := range s.chart.Doc.States {
		if state == s.chart.Doc.Root || !s.chart.Doc.Late {
			s.initializeDatamodel(state)
		}
	}
	for _, script := range s.chart.Doc.Scripts {
		s.executeContent([]doc.Exec{script})
	}
	s.running = true
	s.tell("microstep", "")
	if s.begun == nil {
		s.enterStates([]*doc.Transition{s.chart.Doc.Root.Initial}, []*doc.State{s.chart.Doc.Root})
	}
	for _, state := range entryOrder(s.begun) { // enterStates without executable content and done events
		s.Configuration = add(s.Configuration, state)
		s.statesToInvoke = add(s.statesToInvoke, state)
		s.tell("enter", NameOf(state))
		if s.chart.Doc.Late {
			s.initializeDatamodel(state)
			s.entered = add(s.entered, state)
		}
	}
	s.mainEventLoop()
}

func (s *Session) initializeDatamodel(state *doc.State) {
	for _, d := range state.Data {
		var err error
		given, isGiven := s.given[d.ID]
		switch {
		case isGiven && state == s.chart.Doc.Root:
			err = s.store.Set(d.ID, given)
		case d.LoadErr != nil:
			err = d.LoadErr
		case d.Expr != nil:
			err = s.store.Init(d.ID, s.chart.compile(datamodel.ValueExpr, d.Expr))
		case d.Content != nil:
			err = s.store.Init(d.ID, s.chart.compile(datamodel.Content, d.Content))
		}
		if err != nil && s.store.Declare(d.ID) == nil { // an item that cannot be declared has its error
			s.error("data", "", err)
		}
	}
}

// takeTurn is one round of mainEventLoop, cut where it waits for an external event: first the part
// after the waiting, then the part before it.
func (s *Session) takeTurn() {
	if len(s.InternalQueue) > 0 { // meanwhile the delivery of a due event has failed
		s.mainEventLoop()
		return
	}
	externalEvent := s.ExternalQueue[0]
	s.ExternalQueue = s.ExternalQueue[1:]
	s.setEvent(externalEvent)
	s.tellEvent("event", externalEvent)
	for _, inv := range slices.Clone(s.invocations) {
		if inv.id == externalEvent.InvokeID {
			s.applyFinalize(inv, externalEvent)
		}
		if inv.doc.Autoforward {
			inv.receive(externalEvent)
		}
	}
	enabledTransitions := s.selectTransitions(externalEvent)
	if len(enabledTransitions) > 0 {
		s.microstep(enabledTransitions, externalEvent.Name)
	}
	s.mainEventLoop()
}

func (s *Session) mainEventLoop() {
	for s.running {
		macrostepDone := false
		for s.running && !macrostepDone {
			if s.steps > s.world.Limits.Microsteps {
				s.exitInterpreter()
				return
			}
			enabledTransitions := s.selectEventlessTransitions()
			event := ""
			if len(enabledTransitions) == 0 {
				if len(s.InternalQueue) == 0 {
					macrostepDone = true
				} else {
					internalEvent := s.InternalQueue[0]
					s.InternalQueue = s.InternalQueue[1:]
					s.setEvent(internalEvent)
					s.tellEvent("internal", internalEvent)
					enabledTransitions = s.selectTransitions(internalEvent)
					event = internalEvent.Name
				}
			}
			if len(enabledTransitions) > 0 {
				s.microstep(enabledTransitions, event)
			} else if !macrostepDone {
				s.steps++ // counts as a microstep for the limit
			}
		}
		if !s.running {
			break
		}
		for _, state := range entryOrder(s.statesToInvoke) {
			for _, inv := range state.Invokes {
				s.invoke(inv)
			}
		}
		s.statesToInvoke = nil
		if len(s.InternalQueue) > 0 {
			continue
		}
		s.steps = 0
		s.tell("stable")
		return // and wait for an external event
	}
	s.tell("stable")
	s.exitInterpreter()
}

// exitInterpreter ends the session. If it is still running it is stopped, otherwise it has reached
// a top-level final state.
func (s *Session) exitInterpreter() {
	statesToExit := exitOrder(s.Configuration)
	for _, state := range statesToExit {
		s.exitState(state)
		if !s.running && state.Kind == doc.Final && state.Parent.Kind == doc.Scxml {
			s.Final = state
			s.doneData = s.evaluateDonedata(state)
		}
	}
	s.end()
}

func (s *Session) selectEventlessTransitions() []*doc.Transition {
	return s.selectWhere(func(t *doc.Transition) bool { return len(t.Events) == 0 })
}

func (s *Session) selectTransitions(event datamodel.Event) []*doc.Transition {
	return s.selectWhere(func(t *doc.Transition) bool { return len(t.Events) > 0 && nameMatch(t.Events, event.Name) })
}

// selectWhere is the common part of the two.
func (s *Session) selectWhere(candidate func(t *doc.Transition) bool) []*doc.Transition {
	var enabledTransitions []*doc.Transition
	for _, atomic := range entryOrder(s.Configuration) {
		if !isAtomicState(atomic) {
			continue
		}
	loop:
		for _, state := range append([]*doc.State{atomic}, getProperAncestors(atomic, nil)...) {
			for _, t := range state.Transitions {
				if candidate(t) && s.conditionMatch(t) {
					enabledTransitions = add(enabledTransitions, t)
					break loop
				}
			}
		}
	}
	return s.removeConflictingTransitions(enabledTransitions)
}

func (s *Session) conditionMatch(t *doc.Transition) bool {
	return t.Cond == nil || s.condition("transition", t.Cond)
}

// nameMatch is REC 3.12.1: a descriptor matches if its tokens are a prefix of the name's tokens.
func nameMatch(descriptors []string, name string) bool {
	for _, d := range descriptors {
		d = strings.TrimSuffix(strings.TrimSuffix(d, "*"), ".")
		if d == "" || name == d || strings.HasPrefix(name, d+".") {
			return true
		}
	}
	return false
}

func (s *Session) removeConflictingTransitions(enabledTransitions []*doc.Transition) []*doc.Transition {
	var filteredTransitions []*doc.Transition
	for _, t1 := range enabledTransitions {
		t1Preempted := false
		var transitionsToRemove []*doc.Transition
		for _, t2 := range filteredTransitions {
			if hasIntersection(s.computeExitSet([]*doc.Transition{t1}), s.computeExitSet([]*doc.Transition{t2})) {
				if isDescendant(t1.Source, t2.Source) {
					transitionsToRemove = add(transitionsToRemove, t2)
				} else {
					t1Preempted = true
					break
				}
			}
		}
		if !t1Preempted {
			for _, t3 := range transitionsToRemove {
				filteredTransitions = remove(filteredTransitions, t3)
			}
			filteredTransitions = add(filteredTransitions, t1)
		}
	}
	return filteredTransitions
}

func (s *Session) microstep(enabledTransitions []*doc.Transition, event string) {
	s.steps++
	// Amended: REC 3.13 executes contents in document order, which can differ from the order of the
	// atomic states that selected the transitions.
	enabledTransitions = slices.SortedFunc(slices.Values(enabledTransitions), func(a, b *doc.Transition) int { return a.Index - b.Index })
	s.tell("microstep", event)
	// Amended: domains are computed once, before the exit changes what histories remember.
	var domains []*doc.State
	for _, t := range enabledTransitions {
		domains = append(domains, s.getTransitionDomain(t))
	}
	s.exitStates(enabledTransitions)
	s.executeTransitionContent(enabledTransitions)
	s.enterStates(enabledTransitions, domains)
}

func (s *Session) exitStates(enabledTransitions []*doc.Transition) {
	statesToExit := s.computeExitSet(enabledTransitions)
	for _, state := range statesToExit {
		s.statesToInvoke = remove(s.statesToInvoke, state)
	}
	statesToExit = exitOrder(statesToExit)
	for _, state := range statesToExit {
		for _, h := range state.Children {
			if h.Kind != doc.History {
				continue
			}
			s.HistoryValue[h] = nil
			for _, s0 := range entryOrder(s.Configuration) {
				if h.Deep && isAtomicState(s0) && isDescendant(s0, state) || !h.Deep && s0.Parent == state {
					s.HistoryValue[h] = add(s.HistoryValue[h], s0)
				}
			}
		}
	}
	for _, state := range statesToExit {
		s.exitState(state)
	}
}

// exitState is the body of the last loop of exitStates and of exitInterpreter.
func (s *Session) exitState(state *doc.State) {
	for _, onexit := range state.OnExit {
		s.executeContent(onexit.Body)
	}
	for _, inv := range state.Invokes {
		s.cancelInvoke(inv)
	}
	s.Configuration = remove(s.Configuration, state)
	s.tell("exit", NameOf(state))
}

func (s *Session) computeExitSet(transitions []*doc.Transition) []*doc.State {
	var statesToExit []*doc.State
	for _, t := range transitions {
		if len(t.Targets) > 0 {
			domain := s.getTransitionDomain(t)
			for _, state := range s.Configuration {
				if isDescendant(state, domain) {
					statesToExit = add(statesToExit, state)
				}
			}
		}
	}
	return statesToExit
}

func (s *Session) executeTransitionContent(enabledTransitions []*doc.Transition) {
	for _, t := range enabledTransitions {
		words := []string{NameOf(t.Source)}
		for _, target := range t.Targets {
			words = append(words, NameOf(target))
		}
		s.tell("transition", words...)
		s.executeContent(t.Body)
	}
}

// An entry is the result of computeEntrySet.
type entry struct {
	statesToEnter         []*doc.State
	statesForDefaultEntry []*doc.State
	defaultHistoryContent map[*doc.State][]doc.Exec // by parent of the history
}

func (s *Session) enterStates(enabledTransitions []*doc.Transition, domains []*doc.State) {
	e := &entry{defaultHistoryContent: map[*doc.State][]doc.Exec{}}
	s.computeEntrySet(enabledTransitions, domains, e)
	for _, state := range entryOrder(e.statesToEnter) {
		s.Configuration = add(s.Configuration, state)
		s.statesToInvoke = add(s.statesToInvoke, state)
		s.tell("enter", NameOf(state))
		if s.chart.Doc.Late && !slices.Contains(s.entered, state) {
			s.initializeDatamodel(state)
			s.entered = add(s.entered, state)
		}
		for _, onentry := range state.OnEntry {
			s.executeContent(onentry.Body)
		}
		if slices.Contains(e.statesForDefaultEntry, state) {
			s.executeContent(state.Initial.Body)
		}
		s.executeContent(e.defaultHistoryContent[state])
		if state.Kind == doc.Final {
			if state.Parent.Kind == doc.Scxml {
				s.running = false
				continue
			}
			parent := state.Parent
			s.raise(datamodel.Event{Name: "done.state." + NameOf(parent), Type: datamodel.Platform, Data: s.evaluateDonedata(state)})
			// Amended: not only the grandparent, but every enclosing parallel that is complete (REC
			// 3.4).
			for grandparent := parent.Parent; grandparent != nil && grandparent.Kind == doc.Parallel; grandparent = grandparent.Parent {
				if s.isInFinalState(grandparent) {
					s.raise(datamodel.Event{Name: "done.state." + NameOf(grandparent), Type: datamodel.Platform})
				}
			}
		}
	}
}

func (s *Session) computeEntrySet(transitions []*doc.Transition, domains []*doc.State, e *entry) {
	for i, t := range transitions {
		for _, target := range t.Targets {
			s.addDescendantStatesToEnter(target, domains[i], e)
		}
		ancestor := domains[i]
		for _, target := range s.getEffectiveTargetStates(t) {
			s.addAncestorStatesToEnter(target, ancestor, domains[i], e)
		}
	}
}

func (s *Session) addDescendantStatesToEnter(state, domain *doc.State, e *entry) {
	if state.Kind == doc.History {
		if value := s.HistoryValue[state]; len(value) > 0 {
			for _, v := range value {
				s.addDescendantStatesToEnter(v, domain, e)
			}
			for _, v := range value {
				s.addAncestorStatesToEnter(v, state.Parent, domain, e)
			}
		} else {
			t := state.Transitions[0]
			e.defaultHistoryContent[state.Parent] = t.Body
			for _, target := range t.Targets {
				s.addDescendantStatesToEnter(target, domain, e)
			}
			for _, target := range t.Targets {
				s.addAncestorStatesToEnter(target, state.Parent, domain, e)
			}
		}
		return
	}
	e.statesToEnter = add(e.statesToEnter, state)
	if state.Kind == doc.Compound {
		e.statesForDefaultEntry = add(e.statesForDefaultEntry, state)
		for _, target := range state.Initial.Targets {
			s.addDescendantStatesToEnter(target, domain, e)
		}
		for _, target := range state.Initial.Targets {
			s.addAncestorStatesToEnter(target, state, domain, e)
		}
	} else if state.Kind == doc.Parallel {
		s.addRegions(state, domain, e)
	}
}

func (s *Session) addAncestorStatesToEnter(state, ancestor, domain *doc.State, e *entry) {
	for _, anc := range getProperAncestors(state, ancestor) {
		// Amended: REC 3.13 enters descendants of the domain only, which may lie below the parent
		// of a history.
		if !isDescendant(anc, domain) {
			break
		}
		e.statesToEnter = add(e.statesToEnter, anc)
		if anc.Kind == doc.Parallel {
			s.addRegions(anc, domain, e)
		}
	}
}

// addRegions is what the two functions above do with a parallel.
func (s *Session) addRegions(parallel, domain *doc.State, e *entry) {
	for _, child := range getChildStates(parallel) {
		if !slices.ContainsFunc(e.statesToEnter, func(s *doc.State) bool { return isDescendant(s, child) }) {
			s.addDescendantStatesToEnter(child, domain, e)
		}
	}
}

func (s *Session) isInFinalState(state *doc.State) bool {
	switch state.Kind {
	case doc.Compound:
		return slices.ContainsFunc(getChildStates(state), func(c *doc.State) bool {
			return c.Kind == doc.Final && slices.Contains(s.Configuration, c)
		})
	case doc.Parallel:
		return every(getChildStates(state), s.isInFinalState)
	}
	return false
}

func (s *Session) getTransitionDomain(t *doc.Transition) *doc.State {
	tstates := s.getEffectiveTargetStates(t)
	switch {
	case len(tstates) == 0:
		return nil
	case t.Internal && t.Source.Kind == doc.Compound && every(tstates, func(s *doc.State) bool { return isDescendant(s, t.Source) }):
		return t.Source
	}
	return findLCCA(append([]*doc.State{t.Source}, tstates...))
}

func findLCCA(stateList []*doc.State) *doc.State {
	for _, anc := range getProperAncestors(stateList[0], nil) {
		if anc.Kind != doc.Compound && anc.Kind != doc.Scxml {
			continue
		}
		if every(stateList[1:], func(s *doc.State) bool { return isDescendant(s, anc) }) {
			return anc
		}
	}
	return stateList[0] // <scxml> itself, whose transitions the REC does not define
}

func (s *Session) getEffectiveTargetStates(t *doc.Transition) []*doc.State {
	var targets []*doc.State
	for _, target := range t.Targets {
		switch {
		case target.Kind != doc.History:
			targets = add(targets, target)
		case len(s.HistoryValue[target]) > 0:
			for _, v := range s.HistoryValue[target] {
				targets = add(targets, v)
			}
		default:
			for _, v := range s.getEffectiveTargetStates(target.Transitions[0]) {
				targets = add(targets, v)
			}
		}
	}
	return targets
}

// getProperAncestors returns the proper ancestors of state up to but without ancestor, the nearest
// first; all of them if ancestor is nil.
func getProperAncestors(state, ancestor *doc.State) []*doc.State {
	var ancestors []*doc.State
	for p := state.Parent; p != nil && p != ancestor; p = p.Parent {
		ancestors = append(ancestors, p)
	}
	return ancestors
}

func isDescendant(state1, state2 *doc.State) bool {
	for p := state1.Parent; p != nil; p = p.Parent {
		if p == state2 {
			return true
		}
	}
	return false
}

func getChildStates(state *doc.State) []*doc.State {
	var children []*doc.State
	for _, c := range state.Children {
		if c.Kind != doc.History {
			children = append(children, c)
		}
	}
	return children
}

func isAtomicState(state *doc.State) bool { return state.Kind == doc.Atomic || state.Kind == doc.Final }

// entryOrder is document order, in which ancestors precede their descendants. exitOrder is its
// reverse.
func entryOrder(states []*doc.State) []*doc.State {
	return slices.SortedFunc(slices.Values(states), func(a, b *doc.State) int { return a.Index - b.Index })
}

func exitOrder(states []*doc.State) []*doc.State {
	return slices.SortedFunc(slices.Values(states), func(a, b *doc.State) int { return b.Index - a.Index })
}

// NameOf returns the id of a state. For one without an id it returns its element and its number in
// document order.
func NameOf(state *doc.State) string {
	if state.ID != "" {
		return state.ID
	}
	return state.Kind.String() + "#" + strconv.Itoa(state.Index)
}

// An ordered set is a slice without duplicates.

func add[T comparable](set []T, x T) []T {
	if slices.Contains(set, x) {
		return set
	}
	return append(set, x)
}

func remove[T comparable](set []T, x T) []T {
	return slices.DeleteFunc(slices.Clone(set), func(y T) bool { return y == x })
}

func hasIntersection[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(x T) bool { return slices.Contains(b, x) })
}

func every[T any](list []T, f func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !f(x) })
}
