package behavioral

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// In reports whether a state of a b-thread is active, or is the final state that it ended in. The state is
// written as "thread/state".
func (p *Program) In(state string) bool {
	thread, name := cut(state)
	i, ok := p.index[thread]
	return ok && p.state != nil && slices.Contains(p.state[i].config, name)
}

// cut splits a name such as "thread/state". The name of a state has no slash.
func cut(state string) (thread, name string) {
	slash := strings.LastIndexByte(state, '/')
	return state[:max(slash, 0)], state[slash+1:]
}

// Configuration returns the names of the active states of all b-threads that have not ended, see
// [Program.In].
func (p *Program) Configuration() (names []string) {
	for i, l := range p.state {
		if l.final {
			continue
		}
		for _, name := range l.config {
			names = append(names, p.threads[i].Name+"/"+name)
		}
	}
	return names
}

// Ended reports whether nothing is requested, blocked or not. Then only an event from outside can continue
// the program.
func (p *Program) Ended() bool {
	return !slices.ContainsFunc(p.state, func(l *local) bool { return len(l.requests) > 0 })
}

// Stuck reports whether something is requested and all of it is blocked: a deadlock, unless an event from
// outside comes.
func (p *Program) Stuck() bool {
	p.sync()
	return len(p.selectable) == 0 && !p.Ended()
}

// Pruned reports whether a b-thread says <prune>.
func (p *Program) Pruned() bool {
	return slices.ContainsFunc(p.state, func(l *local) bool { return l.prune })
}

// Hot returns the names of the b-threads that say <hot>.
func (p *Program) Hot() (names []string) {
	for i, l := range p.state {
		if l.hot {
			names = append(names, p.threads[i].Name)
		}
	}
	return names
}

// Value evaluates an expression in the data model of a b-thread, which it does not change. The value is nil,
// which is undefined, if the b-thread has ended: its data are not kept.
func (p *Program) Value(ctx context.Context, thread, expr string) (datamodel.Value, error) {
	i, ok := p.index[thread]
	if !ok || p.state == nil {
		return nil, fmt.Errorf("behavioral: %q is not a b-thread that has started", thread)
	}
	if p.state[i].final {
		return nil, nil
	}
	r := p.runners[p.threads[i].Chart]
	if err := r.load(&p.threads[i], p.state[i].record); err != nil {
		return nil, err
	}
	return r.session.Eval(ctx, expr)
}

// Eval evaluates an ECMAScript expression about the whole program. In('thread/state') tells whether a
// state of a b-thread is active, data('thread', 'expr') is the value of an expression in a b-thread, undefined if
// it has ended, and hot('thread') tells whether it says <hot>.
func (p *Program) Eval(ctx context.Context, expr string) (datamodel.Value, error) {
	if p.evaluator == nil {
		p.evaluator = &evaluator{p: p, exprs: make(map[string]datamodel.Expr), language: ecmascript.New()}
	}
	return p.evaluator.eval(ctx, expr)
}

// An evaluator has the data model in which expressions about a program are evaluated. It is the Host of
// its store.
type evaluator struct {
	p        *Program
	language datamodel.Language
	store    datamodel.Store
	exprs    map[string]datamodel.Expr
	ctx      context.Context
}

func (e *evaluator) eval(ctx context.Context, expr string) (datamodel.Value, error) {
	compiled, ok := e.exprs[expr]
	if !ok {
		var err error
		if compiled, err = e.language.Compile(datamodel.ValueExpr, datamodel.Source{Text: expr}); err != nil {
			return nil, err
		}
		e.exprs[expr] = compiled
	}
	if e.store == nil {
		store, err := e.language.NewStore(e)
		if err == nil {
			err = store.(datamodel.FuncDefiner).DefineFunc("data", e.data)
		}
		if err == nil {
			err = store.(datamodel.FuncDefiner).DefineFunc("hot", e.hot)
		}
		if err != nil {
			return nil, err
		}
		e.store = store
	}
	e.ctx = ctx
	e.store.Begin(ctx)
	defer e.store.End()
	return e.store.Value(compiled)
}

func (e *evaluator) data(args []datamodel.Value) (datamodel.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("data has %d arguments: want the name of a b-thread and an expression", len(args))
	}
	return e.p.Value(e.ctx, datamodel.Text(args[0]), datamodel.Text(args[1]))
}

func (e *evaluator) hot(args []datamodel.Value) (datamodel.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("hot has %d arguments: want the name of a b-thread", len(args))
	}
	i, ok := e.p.index[datamodel.Text(args[0])]
	if !ok {
		return nil, fmt.Errorf("%q is not a b-thread", datamodel.Text(args[0]))
	}
	return e.p.state[i].hot, nil
}

const callDepth = 2000

func (e *evaluator) In(state string) bool                  { return e.p.In(state) }
func (e *evaluator) Name() string                          { return "" }
func (e *evaluator) SessionID() string                     { return "" }
func (e *evaluator) IOProcessors() []datamodel.IOProcessor { return nil }
func (e *evaluator) Now() time.Time                        { return epoch }
func (e *evaluator) Random() float64                       { return 0 }
func (e *evaluator) ScriptTime() time.Duration             { return 10 * time.Second }
func (e *evaluator) MacrostepTime() time.Duration          { return 0 }
func (e *evaluator) CallDepth() int                        { return callDepth }

// Known returns how many states of b-threads the program and its Systems have seen so far, and remember.
func (p *Program) Known() int { return p.records.count() }
