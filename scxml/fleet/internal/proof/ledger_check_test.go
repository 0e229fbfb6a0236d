package proof

import (
	"strings"
	"testing"
	"time"
)

// TestLedger: the ledger finds each thing that can be wrong with a book, and nothing in good books.
func TestLedger(t *testing.T) {
	at := func(seconds float64) time.Time { return epoch.Add(time.Duration(seconds * float64(time.Second))) }
	const a, b = "n1 a2 f2 b3 s4 c5 q4 p6 j7 k8 s9 e0 d7 b10 g10", "r4 n11 n12"
	for _, test := range []struct{ a, b, want string }{
		{a, b, ""},
		{strings.Replace(a, "n1 ", "", 1), b, "lost: n1 of A"},
		{a, "r4 n11 n12 n12", "doubled: n12 of B"},
		{a, "r4 n12 n11", "reordered: n12 of B"},
		{strings.Replace(a, " f2", "", 1), b, "lost: the delayed event of a2"},
		{strings.Replace(a, "f2", "f2 f2", 1), b, "doubled: the delayed event of a2"},
		{strings.Replace(a, "c5", "c5 g3", 1), b, "not cancelled: the delayed event of b3"},
		{strings.Replace(a, " g10", "", 1), b, "lost: the delayed event of b10"},
		{strings.Replace(a, "f2 b3 s4", "b3 s4 f2", 1), b, "late: the delayed event of a2"},
		{strings.Replace(a, "a2 f2 b3", "a2 b3 f2", 1), b, "late: the delayed event of a2"},
		{a, "n11 n12", "lost: the message of s4"},
		{a, "r4 r4 n11 n12", "doubled: the message of s4"},
		{strings.Replace(a, "q4 ", "", 1), b, "lost: the answer of s4"},
		{strings.Replace(a, "e0 ", "", 1), b, "A was told of 0 messages that have no receiver, want 1"},
		{strings.Replace(a, " d7", "", 1), b, "lost: the service's result of j7"},
		{a + " p13", b, "parcel of p13 of A (outcome unknown) was never delivered"},
		{a, b + " x14", "wrong answer: x14 of B"},
		{a, b + " n99", "out of nowhere: n99"},
	} {
		order := func(n int, key string, letter byte, from, to float64, position uint64) *order {
			return &order{n: n, key: key, letter: letter, lo: at(from), hi: at(to), position: position, accepted: position > 0}
		}
		l := &ledger{books: make(map[string][]entry), delivered: map[int]map[string]int{6: {"A:1": 2}}, steady: true}
		l.orders = append(l.orders,
			order(1, "A", 'n', 0, 1, 1), order(2, "A", 'a', 1, 2, 2), order(3, "A", 'b', 5, 5.5, 3), order(4, "A", 's', 6, 7, 4),
			order(5, "A", 'c', 6.5, 7, 5), order(6, "A", 'p', 7, 8, 7), order(7, "A", 'j', 8, 9, 8), order(8, "A", 'j', 8, 9, 9),
			order(9, "A", 's', 8, 9, 0), order(10, "A", 'b', 9, 10, 11),
			order(11, "B", 'n', 7, 8, 2), order(12, "B", 'n', 7, 8, 3), order(13, "A", 'p', 0, 9, 0), order(14, "B", 'x', 0, 9, 0))
		l.orders[1].delay, l.orders[2].delay, l.orders[9].delay = 2*time.Second, 3*time.Second, time.Second
		l.orders[3].to, l.orders[8].to = "B", "nobody"
		l.orders[13].refused = true
		for key, text := range map[string]string{"A": a, "B": b} {
			switch key {
			case "A":
				text = test.a
			case "B":
				text = test.b
			}
			book, err := readBook(text)
			if err != nil {
				t.Fatal(err)
			}
			l.books[key] = book
		}
		faults := strings.Join(l.check(), "\n")
		if test.want == "" && faults != "" || !strings.Contains(faults, test.want) {
			t.Errorf("books %q and %q:\ngot %s\nwant %q", test.a, test.b, faults, test.want)
		}
	}
}
