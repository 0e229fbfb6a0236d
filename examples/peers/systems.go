package main

import (
	"fmt"
	"strconv"
	"strings"
)

// systems are made for a number, which says how large they are.
var systems = []struct {
	name         string
	make         func(n int) *system
	small, large int
}{
	{"philosophers", philosophers, 3, 17},
	{"peterson", peterson, 2, 5},
	{"leader", leader, 3, 9},
	{"window", window, 2, 6},
	{"elevator", elevator, 3, 8},
	{"cache", cache, 2, 4},
}

func name(form string, n ...any) string { return fmt.Sprintf(form, n...) }

// philosophers take the left fork, then the right one, eat, and put both down (Dijkstra 1965).
func philosophers(n int) *system {
	m := &system{name: "philosophers"}
	for i := range n {
		left, right := name("fork%d", i), name("fork%d", (i+1)%n)
		m.add(left, 0)
		p := process{name: name("p%d", i)}
		p.on(0, 1, left+" == 0", left, "1")
		p.on(1, 2, right+" == 0", right, "1")
		p.on(2, 0, "", left, "0", right, "0")
		m.procs = append(m.procs, p)
	}
	return m
}

// peterson is Peterson's algorithm for the mutual exclusion of n processes (Information Processing Letters 12, 1981): a
// process rises through n-1 levels, and waits at each while another is as high and it came last.
func peterson(n int) *system {
	m := &system{name: "peterson"}
	for i := range n {
		m.add(name("level%d", i), 0)
	}
	for l := 1; l < n; l++ {
		m.add(name("last%d", l), 0)
	}
	for i := range n {
		own := name("level%d", i)
		p := process{name: name("p%d", i)}
		for l := 1; l < n; l++ {
			at := 3 * (l - 1)
			p.on(at, at+1, "", own, strconv.Itoa(l))
			p.on(at+1, at+2, "", name("last%d", l), strconv.Itoa(i))
			var lower []string
			for k := range n {
				if k != i {
					lower = append(lower, name("level%d < %d", k, l))
				}
			}
			p.on(at+2, at+3, name("last%d != %d || (%s)", l, i, strings.Join(lower, " && ")))
		}
		p.on(3*(n-1), 0, "", own, "0")
		m.procs = append(m.procs, p)
	}
	return m
}

// A channel is a queue of variables, in which 0 is nothing.
type channel struct{ slots []string }

func (m *system) channel(id string, size int) *channel {
	c := &channel{}
	for i := range size {
		c.slots = append(c.slots, name("%s_%d", id, i))
		m.add(c.slots[i], 0)
	}
	return c
}

func (c *channel) head() string { return c.slots[0] }

// taken is what takes the head away.
func (c *channel) taken() (sets []string) {
	for i, slot := range c.slots {
		next := "0"
		if i+1 < len(c.slots) {
			next = c.slots[i+1]
		}
		sets = append(sets, slot, next)
	}
	return sets
}

// send adds a rule for each number of messages that may be in a channel, into which value is put. It comes before more, which may
// change what value has.
func (p *process) send(c *channel, from, to int, guard, value string, more ...string) {
	for i, slot := range c.slots {
		room := slot + " == 0"
		if i > 0 {
			room = c.slots[i-1] + " != 0 && " + room
		}
		if guard != "" {
			room = guard + " && " + room
		}
		p.on(from, to, room, append([]string{slot, value}, more...)...)
	}
}

// leader elects the one with the highest number in a ring: each sends its own, and passes on those that are higher
// (Chang and Roberts, CACM 22, 1979). Channels hold three messages.
func leader(n int) *system {
	m := &system{name: "leader"}
	var links []*channel
	for i := range n {
		links = append(links, m.channel(name("c%d", i), 3))
	}
	for i := range n {
		own := order(n)[i]
		in, out := links[i], links[(i+1)%n]
		p := process{name: name("p%d", i)}
		p.send(out, 0, 1, "", strconv.Itoa(own))
		for place := range 2 {
			p.send(out, place, place, name("%s > %d && %s <= %d", in.head(), own, in.head(), n), in.head(), in.taken()...)
			p.on(place, place, name("%s != 0 && %s < %d", in.head(), in.head(), own), in.taken()...)
		}
		p.send(out, 1, 2, name("%s == %d", in.head(), own), strconv.Itoa(n+own), in.taken()...)
		p.send(out, 1, 3, name("%s > %d", in.head(), n), in.head(), in.taken()...)
		p.on(2, 4, name("%s == %d", in.head(), n+own), in.taken()...)
		m.procs = append(m.procs, p)
	}
	return m
}

// order returns the numbers from 1 to n in some order.
func order(n int) (all []int) {
	for i := range n {
		if i%2 == 0 {
			all = append(all, n-i/2)
		} else {
			all = append(all, i/2+1)
		}
	}
	return all
}

// window is a sliding window of four for numbers modulo 8, over channels of n messages, which lose some: the sender goes
// back to the first that was not acknowledged.
func window(n int) *system {
	const numbers, most = 8, 4
	m := &system{name: "window"}
	for _, id := range []string{"base", "next", "wanted"} {
		m.add(id, 0)
	}
	data, acks := m.channel("data", n), m.channel("ack", n)
	s, r, lost := process{name: "sender"}, process{name: "receiver"}, process{name: "lost"}
	plus := func(id string) string { return name("(%s + 1) %% %d", id, numbers) }
	s.send(data, 0, 0, name("(next + %d - base) %% %d < %d", numbers, numbers, most), "next + 1", "next", plus("next"))
	s.on(0, 0, "next != base", "next", "base")
	// An acknowledgement has the number that is wanted next, plus one.
	ahead := name("(%s - 1 + %d - base) %% %d", acks.head(), numbers, numbers)
	s.on(0, 0, name("%s != 0 && %s <= %d && %s > 0 && (next + %d - base) %% %d >= %s", acks.head(), ahead, most, ahead, numbers, numbers, ahead), append([]string{"base", acks.head() + " - 1"}, acks.taken()...)...)
	s.on(0, 0, name("%s != 0 && (%s > %d || %s == 0 || (next + %d - base) %% %d < %s)", acks.head(), ahead, most, ahead, numbers, numbers, ahead), acks.taken()...)
	r.send(acks, 0, 0, name("%s == wanted + 1", data.head()), plus("wanted")+" + 1", append([]string{"wanted", plus("wanted")}, data.taken()...)...)
	r.send(acks, 0, 0, name("%s != 0 && %s != wanted + 1", data.head(), data.head()), "wanted + 1", data.taken()...)
	lost.on(0, 0, data.head()+" != 0", data.taken()...)
	lost.on(0, 0, acks.head()+" != 0", acks.taken()...)
	m.procs = []process{s, r, lost}
	return m
}

// elevator serves n floors, each with a button outside and one in the cabin, and keeps its direction while something is
// asked for there.
func elevator(n int) *system {
	m := &system{name: "elevator"}
	m.add("floor", 0)
	m.add("up", 1)
	cabin := process{name: "cabin"} // stands, moves, is open
	for f := range n {
		m.add(name("call%d", f), 0)
		m.add(name("want%d", f), 0)
	}
	asked := func(from, to int) string {
		var all []string
		for f := from; f < to; f++ {
			all = append(all, name("call%d == 1 || want%d == 1", f, f))
		}
		if all == nil {
			return "1 == 0"
		}
		return strings.Join(all, " || ")
	}
	for f := range n {
		here, above, below := asked(f, f+1), asked(f+1, n), asked(0, f)
		at := name("floor == %d", f)
		cabin.on(0, 2, name("%s && (%s)", at, here))
		if f+1 < n {
			cabin.on(0, 1, name("%s && !(%s) && up == 1 && (%s)", at, here, above), "floor", strconv.Itoa(f+1))
		}
		if f > 0 {
			cabin.on(0, 1, name("%s && !(%s) && up == 0 && (%s)", at, here, below), "floor", strconv.Itoa(f-1))
		}
		cabin.on(0, 0, name("%s && !(%s) && up == 1 && !(%s) && (%s)", at, here, above, below), "up", "0")
		cabin.on(0, 0, name("%s && !(%s) && up == 0 && !(%s) && (%s)", at, here, below, above), "up", "1")
		cabin.on(2, 0, at, name("call%d", f), "0", name("want%d", f), "0")
		people := process{name: name("people%d", f)}
		people.on(0, 0, name("call%d == 0", f), name("call%d", f), "1")
		people.on(0, 0, name("want%d == 0", f), name("want%d", f), "1")
		m.procs = append(m.procs, people)
	}
	cabin.on(1, 0, "")
	m.procs = append(m.procs, cabin)
	return m
}

// cache is the cache coherence protocol of Steven German, for n clients: a home grants shared or exclusive copies, and
// has those of others invalidated before.
func cache(n int) *system {
	const shared, exclusive, invalidate, acknowledge = 1, 2, 3, 1
	m := &system{name: "cache"}
	m.add("command", 0)
	m.add("client", 0)
	m.add("granted", 0) // exclusively
	home := process{name: "home"}
	var sharers, invalid []string
	for i := range n {
		for _, id := range []string{"ask%d", "tell%d", "answer%d", "has%d", "drop%d"} {
			m.add(name(id, i), 0)
		}
		sharers, invalid = append(sharers, name("has%d", i)), append(invalid, name("drop%d", i))
	}
	for i := range n {
		var copies []string
		for k := range n {
			copies = append(copies, invalid[k], sharers[k])
		}
		home.on(0, 0, name("command == 0 && ask%d != 0", i), append([]string{"command", name("ask%d", i), "client", strconv.Itoa(i), name("ask%d", i), "0"}, copies...)...)
		home.on(0, 0, name("%s == 1 && tell%d == 0 && (command == %d || command == %d && granted == 1)", invalid[i], i, exclusive, shared), name("tell%d", i), strconv.Itoa(invalidate), invalid[i], "0")
		home.on(0, 0, name("command != 0 && answer%d == %d", i, acknowledge), name("answer%d", i), "0", sharers[i], "0", "granted", "0")
		home.on(0, 0, name("command == %d && client == %d && granted == 0 && tell%d == 0", shared, i, i), sharers[i], "1", "command", "0", name("tell%d", i), strconv.Itoa(shared))
		home.on(0, 0, name("command == %d && client == %d && granted == 0 && tell%d == 0 && %s == 0", exclusive, i, i, strings.Join(sharers, " + ")), sharers[i], "1", "command", "0", "granted", "1", name("tell%d", i), strconv.Itoa(exclusive))
		c := process{name: name("client%d", i)} // has nothing, shares, owns
		ask, tell, answer := name("ask%d", i), name("tell%d", i), name("answer%d", i)
		c.on(0, 0, ask+" == 0", ask, strconv.Itoa(shared))
		c.on(0, 0, ask+" == 0", ask, strconv.Itoa(exclusive))
		c.on(1, 1, ask+" == 0", ask, strconv.Itoa(exclusive))
		for place := range 3 {
			c.on(place, 0, name("%s == %d && %s == 0", tell, invalidate, answer), tell, "0", answer, strconv.Itoa(acknowledge))
			if place != 1 {
				c.on(place, 1, name("%s == %d", tell, shared), tell, "0")
			}
			if place != 2 {
				c.on(place, 2, name("%s == %d", tell, exclusive), tell, "0")
			}
		}
		c.on(1, 1, name("%s == %d", tell, shared), tell, "0")
		c.on(2, 2, name("%s == %d", tell, exclusive), tell, "0")
		m.procs = append(m.procs, c)
	}
	m.procs = append(m.procs, home)
	return m
}
