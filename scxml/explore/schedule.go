package explore

import (
	"cmp"
	"context"
	"time"
)

// scheduled returns a path with the earliest or the latest times. Times that must be later or earlier than
// others are so by small, or by less if that is too much. The system is one that has not started.
func scheduled(s System, c *clocks, path []Input, latest bool, small time.Duration) ([]Input, error) {
	moments, err := momentsOf(s, c, path)
	if err != nil {
		return nil, err
	}
	times, ok := moments.times(latest, small)
	if !ok {
		return nil, ErrUntimed
	}
	var timed []Input
	for i, in := range path {
		if wait := times[i+1] - times[i]; wait > 0 || in.Event == "" {
			timed = append(timed, Input{Wait: wait})
		}
		if in.Event != "" {
			timed = append(timed, in)
		}
	}
	return timed, nil
}

// moments is the constraint graph of a path: what is known of the times of its inputs. Input 0 is the
// start.
type moments struct {
	inputs int
	edges  []atLeast
}

// atLeast says that the time of an input is at least the time of another one, plus wait.
type atLeast struct {
	input, after int
	wait         moment
}

// A moment is a time, and how many times longer than any small time it is.
type moment struct {
	time  time.Duration
	small int
}

func (m moment) plus(n moment) moment { return moment{m.time + n.time, m.small + n.small} }

func (m moment) compare(n moment) int {
	return cmp.Or(cmp.Compare(m.time, n.time), cmp.Compare(m.small, n.small))
}

// momentsOf takes a path and returns the constraints of its times.
func momentsOf(s System, c *clocks, path []Input) (*moments, error) {
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	m := &moments{inputs: len(path) + 1}
	for i, in := range path {
		m.add(i+1, i, moment{})
		due := in.dueAt()
		for n, p := range c.pending {
			if len(due) == 0 || due[0] != n {
				m.add(p.sent, i+1, moment{-p.delay, 1}) // it is due later
				continue
			}
			due = due[1:]
			m.add(i+1, p.sent, moment{p.delay, 0})
			m.add(p.sent, i+1, moment{-p.delay, 0})
		}
		if err := s.Apply(ctx, in); err != nil && i < len(path)-1 {
			return nil, err
		}
	}
	return m, nil
}

func (m *moments) add(input, after int, wait moment) {
	m.edges = append(m.edges, atLeast{input, after, wait})
}

// times returns the earliest or the latest times: those of the longest paths from the start through the
// constraints, or of the shortest. The latest are those of inputs before the last one that is bounded.
func (m *moments) times(latest bool, small time.Duration) ([]time.Duration, bool) {
	at := make([]moment, m.inputs)
	known := make([]bool, m.inputs)
	known[0] = true
	for round, changed := 0, true; changed; round++ {
		if round > m.inputs {
			return nil, false // there is a circle
		}
		changed = false
		for _, e := range m.edges {
			from, to, wait, order := e.after, e.input, e.wait, 1
			if latest {
				from, to, wait, order = e.input, e.after, moment{-e.wait.time, -e.wait.small}, -1
			}
			if next := at[from].plus(wait); known[from] && (!known[to] || next.compare(at[to]) == order) {
				at[to], known[to], changed = next, true, true
			}
		}
	}
	times := make([]time.Duration, m.inputs)
	for ; small > 0; small /= 10 {
		for i, t := range at {
			times[i] = t.time + time.Duration(t.small)*small
		}
		if m.allow(times) {
			return times, true
		}
	}
	return nil, false
}

// allow reports whether the times fulfil all constraints.
func (m *moments) allow(times []time.Duration) bool {
	for _, e := range m.edges {
		if times[e.input]-times[e.after] < e.wait.time+time.Duration(e.wait.small) {
			return false
		}
	}
	return true
}
