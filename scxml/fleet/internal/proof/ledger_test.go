package proof

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An order is what a client wants of a session, under a number that no other order has. The session
// writes the letter of the order and its number into its book.
type order struct {
	n      int
	key    string
	letter byte // of clerk.scxml
	to     string
	delay  time.Duration

	began    time.Time // true time of the first try
	ended    time.Time // true time of the answer; zero if there is none
	accepted bool      // the client was told so, with this position
	position uint64
	refused  bool // the client was told that it will never be carried out

	lo, hi time.Time // bounds of what the fleet's clock showed when the order was accepted
}

func (o *order) String() string {
	s := fmt.Sprintf("%c%d of %s", o.letter, o.n, o.key)
	switch {
	case o.accepted:
		return fmt.Sprintf("%s (accepted, position %d)", s, o.position)
	case o.refused:
		return s + " (refused)"
	}
	return s + " (outcome unknown)"
}

// A message is from a session that was deleted since.
type message struct {
	n        int
	to       string
	sent     bool // by a step that was acknowledged
	passedOn bool // the outbox was empty before the session was deleted
}

// token is what the session writes when it takes the order.
func (o *order) token() entry { return entry{o.letter, o.n} }

// An entry of a session's book.
type entry struct {
	letter byte
	n      int
}

func (e entry) String() string { return fmt.Sprintf("%c%d", e.letter, e.n) }

// A ledger compares what clients asked for, and were told, with the books of the sessions.
type ledger struct {
	orders   []*order
	messages []*message
	mortals  []*mortal
	books    map[string][]entry

	delivered map[int]map[string]int // how often the host delivered a parcel, by its idempotency key
	wrong     []string               // what was seen to be wrong while it happened
	steady    bool                   // the clock never jumped back: all times can be compared

	faults []string
}

// wrongf notes what is wrong already.
func (l *ledger) wrongf(format string, args ...any) {
	l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
}

func (l *ledger) faultf(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// readBook returns the entries of a session's book.
func readBook(text string) (book []entry, err error) {
	book = []entry{} // not nil: the session is there
	for _, word := range strings.Fields(text) {
		n, err := strconv.Atoi(word[1:])
		if err != nil {
			return nil, fmt.Errorf("book has %q", word)
		}
		book = append(book, entry{word[0], n})
	}
	return book, nil
}

// count tells how often a session has written an entry.
func (l *ledger) count(key string, letter byte, n int) (times int) {
	for _, e := range l.books[key] {
		if e == (entry{letter, n}) {
			times++
		}
	}
	return times
}

// check returns all that is wrong once nothing is under way any more.
func (l *ledger) check() []string {
	l.faults = slices.Clone(l.wrong)
	known := make(map[string]map[entry]bool) // entries that have a reason
	for key := range l.books {
		known[key] = map[entry]bool{{'e', 0}: true}
	}
	failed := make(map[string]int) // messages whose receiver is missing
	for _, o := range l.orders {
		if l.books[o.key] == nil {
			l.faultf("session %q is missing", o.key)
			continue
		}
		taken, letter := l.count(o.key, o.letter, o.n), o.letter
		if o.letter == 'j' && taken == 0 { // it was busy
			taken, letter = l.count(o.key, 'k', o.n), 'k'
		}
		if o.letter == 'h' && taken == 0 {
			taken, letter = l.count(o.key, 'l', o.n), 'l'
		}
		known[o.key][entry{letter, o.n}] = true
		switch {
		case taken > 1:
			l.faultf("doubled: %v was carried out %d times", o, taken)
		case taken == 0 && o.accepted && o.letter != 'x':
			l.faultf("lost: %v was never carried out", o)
		case taken == 1 && o.refused:
			l.faultf("wrong answer: %v was carried out", o)
		}
		if taken == 0 {
			continue
		}
		once := func(what, key string, letter byte) {
			known[key][entry{letter, o.n}] = true
			switch times := l.count(key, letter, o.n); {
			case times == 0:
				l.faultf("lost: %s of %v", what, o)
			case times > 1:
				l.faultf("doubled: %s of %v happened %d times", what, o, times)
			}
		}
		switch letter {
		case 'a':
			once("the delayed event", o.key, 'f')
		case 'b':
			if l.cancelled(o) {
				if l.count(o.key, 'g', o.n) > 0 {
					l.faultf("not cancelled: the delayed event of %v", o)
				}
			} else {
				once("the delayed event", o.key, 'g')
			}
			known[o.key][entry{'g', o.n}] = true
		case 's':
			if l.books[o.to] == nil {
				failed[o.key]++
				continue
			}
			once("the message", o.to, 'r')
			once("the answer", o.key, 'q')
		case 'p':
			l.checkParcel(o)
		case 'j':
			once("the service's result", o.key, 'd')
		case 'h':
			if l.books[o.to] != nil {
				once("the message of the session inside", o.to, 'r')
			}
			once("what the session inside said", o.key, 'i')
			once("the end of the session inside", o.key, 'm')
		}
	}
	for _, m := range l.mortals {
		l.checkMortal(m)
	}
	for _, m := range l.messages {
		known[m.to][entry{'r', m.n}] = true
		switch times := l.count(m.to, 'r', m.n); {
		case times > 1:
			l.faultf("doubled: message %d of a deleted session to %s happened %d times", m.n, m.to, times)
		case times == 0 && m.sent && m.passedOn:
			l.faultf("lost: message %d of a deleted session to %s", m.n, m.to)
		}
	}
	for _, key := range l.keys() {
		for _, e := range l.books[key] {
			if !known[key][e] {
				l.faultf("out of nowhere: %v in the book of %s", e, key)
			}
		}
		if got := l.count(key, 'e', 0); got != failed[key] {
			l.faultf("%s was told of %d messages that have no receiver, want %d", key, got, failed[key])
		}
		l.checkOrder(key)
		for _, to := range l.keys() {
			l.checkMessages(key, to)
		}
	}
	l.checkParcels()
	return l.faults
}

func (l *ledger) keys() []string {
	var keys []string
	for key := range l.books {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// cancelled tells whether an alarm was cancelled before it rang.
func (l *ledger) cancelled(o *order) bool {
	armed := false
	for _, e := range l.books[o.key] {
		switch {
		case e == o.token():
			armed = true
		case armed && e == entry{'g', o.n}:
			return false
		case armed && e.letter == 'c':
			return true
		}
	}
	return false
}

// checkParcel: a message to the host is delivered at least once, always under the same key.
func (l *ledger) checkParcel(o *order) {
	keys := l.delivered[o.n]
	switch len(keys) {
	case 0:
		l.faultf("lost: the parcel of %v was never delivered", o)
	case 1:
	default:
		l.faultf("the parcel of %v was delivered under several idempotency keys: %v", o, keys)
	}
}

// checkParcels: what was delivered belongs to an order that was carried out, and no two parcels have
// the same key.
func (l *ledger) checkParcels() {
	owner := make(map[string]int)
	taken := make(map[int]bool)
	for _, o := range l.orders {
		taken[o.n] = l.count(o.key, 'p', o.n) > 0
	}
	for _, m := range l.mortals {
		for _, e := range m.book {
			taken[e.n] = taken[e.n] || e.letter == 'p'
		}
		for _, o := range m.tasks {
			taken[o.n] = taken[o.n] || m.gone && o.letter == 'p' // its book is gone too
		}
	}
	for n, keys := range l.delivered {
		if !taken[n] {
			l.faultf("delivered before it was stored: parcel %d", n)
		}
		for key := range keys {
			if other, ok := owner[key]; ok {
				l.faultf("parcels %d and %d have the same idempotency key %s", other, n, key)
			}
			owner[key] = n
		}
	}
}

// checkOrder compares the order of a book with positions, and with times as far as they are known.
func (l *ledger) checkOrder(key string) {
	at := make(map[entry]int) // place in the book
	for i, e := range l.books[key] {
		switch e.letter {
		case 'k':
			e.letter = 'j'
		case 'l':
			e.letter = 'h'
		}
		at[e] = i
	}
	type moment struct {
		what   string
		place  int
		lo, hi time.Time
	}
	var accepted []*order
	var moments []moment
	for _, o := range l.orders {
		place, ok := at[o.token()]
		if o.key != key || !ok {
			continue
		}
		if o.position > 0 {
			accepted = append(accepted, o)
		}
		if !o.lo.IsZero() && !o.hi.IsZero() {
			moments = append(moments, moment{o.String(), place, o.lo, o.hi})
			for _, letter := range []byte{'f', 'g'} {
				if place, ok := at[entry{letter, o.n}]; ok {
					moments = append(moments, moment{"the delayed event of " + o.String(), place, o.lo.Add(o.delay), o.hi.Add(o.delay)})
				}
			}
		}
	}
	slices.SortFunc(accepted, func(a, b *order) int { return at[a.token()] - at[b.token()] })
	for i := 1; i < len(accepted); i++ {
		if a, b := accepted[i-1], accepted[i]; a.position >= b.position {
			l.faultf("reordered: %v was carried out before %v", a, b)
		}
	}
	if !l.steady {
		return
	}
	for _, a := range moments {
		for _, b := range moments {
			if a.place > b.place && a.hi.Before(b.lo) {
				l.faultf("late: %s (by %s) was carried out after %s (from %s)", a.what, stamp(a.hi), b.what, stamp(b.lo))
			}
		}
	}
}

// checkMessages: messages of one session to another arrive in the order in which they were sent.
func (l *ledger) checkMessages(from, to string) {
	messages := make(map[int]bool)
	for _, o := range l.orders {
		if o.letter == 's' && o.key == from && o.to == to {
			messages[o.n] = true
		}
	}
	sequence := func(key string, letter byte) (numbers []int) {
		for _, e := range l.books[key] {
			if e.letter == letter && messages[e.n] {
				numbers = append(numbers, e.n)
			}
		}
		return numbers
	}
	if sent, got := sequence(from, 's'), sequence(to, 'r'); len(sent) == len(got) && !slices.Equal(sent, got) {
		l.faultf("reordered: %s sent messages %v to %s, where they arrived as %v", from, sent, to, got)
	}
	if got, answered := sequence(to, 'r'), sequence(from, 'q'); len(got) == len(answered) && !slices.Equal(got, answered) {
		l.faultf("reordered: %s answered messages %v of %s, where the answers arrived as %v", to, got, from, answered)
	}
}

func stamp(t time.Time) string { return t.Format("15:04:05.000000000") }
