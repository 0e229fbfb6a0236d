package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A hostOrder is what a session stands for.
type hostOrder struct {
	Paid    bool
	charges []int
}

func (o *hostOrder) IsPaid() bool                            { return o.Paid }
func (o *hostOrder) Charge(ctx context.Context, n int) error { return nil }
func (o *hostOrder) charge(n int) error {
	if n > 100 {
		return errors.New("too much")
	}
	o.charges = append(o.charges, n)
	return nil
}

const hostChart = `<datamodel><data id="n" expr="30"/></datamodel><state id="open">
	<transition event="other" cond="late(n) &amp;&amp; late(n)"/><transition event="pay" cond="!isPaid()" target="paid"><script>charge(n); charge(_event.data)</script></transition>
	<transition event="error.execution" target="refused"/></state>
	<state id="paid"><invoke type="clerk"/><transition event="error.execution" target="refused"/></state><state id="refused"/>`

// hostOptions are options for any number of sessions.
func hostOptions() scxml.Options {
	return scxml.Options{
		scxml.WithFunc("isPaid", (*hostOrder).IsPaid),
		scxml.WithFunc("charge", (*hostOrder).charge),
		scxml.WithFunc("add", func(ctx context.Context, o *hostOrder, n ...int) int {
			o.charges = append(o.charges, n...)
			return len(n)
		}),
		scxml.WithFunc("late", func(n float64) bool { return n > 3 }),
		scxml.WithInvoker("clerk", scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			return inv.Host.(*hostOrder).Paid, nil
		})),
	}
}

// TestHostValue: sessions that share options have values of their own.
func TestHostValue(t *testing.T) {
	chart := parse(t, hostChart)
	opts := hostOptions()
	a, b, c := new(hostOrder), new(hostOrder), &hostOrder{Paid: true}
	for _, o := range []*hostOrder{a, b, c} {
		d := driven(t, chart, opts, scxml.WithHost(o))
		d.process(scxml.Event{Name: "pay", Data: 4 + len(a.charges)})
	}
	if got := fmt.Sprint(a.charges, b.charges, c.charges); got != "[30 4] [30 6] []" {
		t.Error(got)
	}
	d := driven(t, chart, opts, scxml.WithHost(a))
	d.process(scxml.Event{Name: "pay", Data: 101})
	if !d.In("refused") {
		t.Error(d.Configuration())
	}
	add := driven(t, parse(t, `<datamodel><data id="n"/></datamodel><state id="s"><transition event="e"><assign location="n" expr="add(1, 2, 3) + add()"/></transition></state>`), opts, scxml.WithHost(a))
	add.process(scxml.Event{Name: "e"})
	if v, err := add.Eval(add.ctx, "n"); fmt.Sprint(v, err, a.charges[len(a.charges)-3:]) != "3 <nil> [1 2 3]" {
		t.Error(v, err, a.charges)
	}
}

// TestHostOfService: a service gets the value of its session.
func TestHostOfService(t *testing.T) {
	chart := parse(t, `<state id="s"><invoke type="clerk"/><transition event="done.invoke" target="f"/></state><final id="f"><donedata><content expr="_event.data"/></donedata></final>`)
	opts := hostOptions()
	for _, paid := range []bool{true, false} {
		s, err := scxml.New(chart, opts, scxml.WithHost(&hostOrder{Paid: paid}))
		if err == nil {
			err = s.Run(t.Context())
		}
		if err != nil || s.DoneData() != paid {
			t.Errorf("got %v, %v, want %v", s.DoneData(), err, paid)
		}
	}
}

// TestSharedOptions: sessions on several goroutines share options.
func TestSharedOptions(t *testing.T) {
	chart, opts := parse(t, hostChart), hostOptions()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 50 {
				o := new(hostOrder)
				d := driven(t, chart, opts, scxml.WithHost(o))
				for range 40 { // the timer of the clock, too
					d.process(scxml.Event{Name: "other"})
				}
				d.process(scxml.Event{Name: "pay", Data: i + n})
				if got, want := fmt.Sprint(o.charges), fmt.Sprint([]int{30, i + n}); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// TestHostValueOfAnotherType: a function that wants a value that its session does not have is refused, if
// its parameter cannot be data.
func TestHostValueOfAnotherType(t *testing.T) {
	chart := parse(t, `<state id="s"/>`)
	for _, tt := range []struct {
		fn   any
		host any
		want string
	}{
		{(*hostOrder).IsPaid, new(hostOrder), ""},
		{(*hostOrder).IsPaid, nil, ""}, // a struct can be data
		{func(chan int) bool { return true }, make(chan int), ""},
		{func(chan int) bool { return true }, nil, `scxml: New: WithFunc: "f": func(chan int) bool: parameter 1 cannot hold data: chan int is not data; if it is for a value of the host, give that with WithHost`},
		{func(chan int, chan int) bool { return true }, make(chan int), "parameter 2 cannot hold data: chan int is not data"},
		{func(...chan int) bool { return true }, make(chan int), "parameter 1 cannot hold data: chan int is not data"},
	} {
		_, err := scxml.New(chart, scxml.WithFunc("f", tt.fn), scxml.WithHost(tt.host))
		if err == nil && tt.want != "" || err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%T with %T: got %v, want %s", tt.fn, tt.host, err, tt.want)
		}
	}
}

// TestFuncsAreLookedAtOnce: with options that sessions share, functions and services cost a session
// little.
func TestFuncsAreLookedAtOnce(t *testing.T) {
	chart := parse(t, hostChart)
	allocs := func(opts scxml.Option) float64 {
		host := scxml.WithHost(new(hostOrder))
		return testing.AllocsPerRun(100, func() {
			if _, err := scxml.New(chart, opts, host); err != nil {
				t.Fatal(err)
			}
		})
	}
	bare, with := allocs(scxml.WithMissing()), allocs(hostOptions())
	if with > bare+2 {
		t.Errorf("%v allocations, and %v without functions", with, bare)
	}
}

func BenchmarkNewWithFuncs(b *testing.B) {
	chart := parse(b, hostChart)
	opts, order := hostOptions(), new(hostOrder)
	for _, c := range []struct {
		name string
		opts func() scxml.Option
	}{
		{"none", func() scxml.Option { return scxml.WithMissing() }},
		{"shared", func() scxml.Option { return opts }},
		{"made", func() scxml.Option { return hostOptions() }},
	} {
		for _, start := range []bool{false, true} {
			b.Run(fmt.Sprint(c.name, "/start=", start), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s, err := scxml.New(chart, c.opts(), scxml.WithHost(order))
					if err == nil && start {
						err = s.Start(b.Context())
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
