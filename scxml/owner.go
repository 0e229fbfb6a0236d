package scxml

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
)

// This file tells the owner of a session from other goroutines. Nothing is noted while driving, which
// would cost every step.

// elsewhere reports whether another goroutine drives the session.
func (s *Session) elsewhere() bool { return s.tree.driven() && !inCallback() }

// driven reports whether a driver is at work.
func (t *tree) driven() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.busy
}

// inStep reports whether a driver is at work and not between two of its steps, where functions given
// to Call run.
func (t *tree) inStep() bool { return t.driven() && !(inCallback() && t.serving) }

// pause makes the caller the owner between two macrosteps. entered is false if it is the owner already,
// in a function given to Call.
func (t *tree) pause() (entered bool, err error) {
	if err = t.enter(false); err != nil && inCallback() && t.serving {
		return false, nil
	}
	return err == nil, err
}

// mine panics in the method of that name if another goroutine drives the session.
func (s *Session) mine(method string) {
	if s.elsewhere() {
		panic(failed(method, ErrDriven))
	}
}

// inCallback reports whether a session is being driven further up on the stack of the calling
// goroutine.
func inCallback() bool {
	findDrivers.Do(func() {
		for _, f := range []any{
			(*tree).do, (*Session).do, (*Session).takeTurn, (*Session).begin, (*Session).abort,
			(*Session).eval, (*Session).Run, (*Session).snapshot, (*tree).letGo, (*tree).tellClock, (*tree).tellStep, (*tree).settle, ServerView.Report,
		} {
			drivers = append(drivers, runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name())
		}
	})
	var pcs [12]uintptr // a callback is near its driver
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if slices.ContainsFunc(pcs[:n], isDriver) {
			return true
		}
		if n < len(pcs) {
			return false
		}
	}
}

// isDriver reports whether the function that returns to pc is a driver.
func isDriver(pc uintptr) bool {
	known, ok := places.Load(pc)
	if !ok {
		frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		known = slices.Contains(drivers, frame.Function)
		places.Store(pc, known)
	}
	return known.(bool)
}

var (
	findDrivers sync.Once
	drivers     []string // the functions below which callbacks run
	places      sync.Map // of isDriver; no more than the program has calls
)
