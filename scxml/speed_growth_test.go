package scxml_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// How cost grows: one table for each dimension in which a chart, or its use, can be large. The
// values may grow like the first column and not faster.

// growth is a table.
type growth struct {
	title   string
	about   string
	columns []string // the first is the size
	sizes   []int
	row     func(tb testing.TB, n int) []string
}

var growths = []growth{
	{
		"States", "A ring of states with 3 transitions each; the event leads to the next.",
		[]string{"states", "document", "load", "each state", "event", "session"},
		[]int{10, 100, 1000, 10_000, 100_000},
		func(tb testing.TB, n int) []string {
			source := loadDocument(n)
			load := samples(loadOp(tb, source))
			chart := compiled(tb, "ring", source)
			session := samples(sessionOp(tb, chart))
			return []string{
				size(float64(len(source))), duration(load.ns), duration(load.ns / float64(n)),
				duration(samples(driven(tb, chart).sends("next")).ns), size(session.bytes),
			}
		},
	},
	{
		"Active regions", "A parallel; one event makes all regions step, another only the first.",
		[]string{"regions", "all step", "each region", "one steps"},
		[]int{1, 10, 100, 1000},
		func(tb testing.TB, n int) []string {
			root := parallelChart(n)
			for i, st := range root.children[0].children[0].children {
				st.arcs = append(st.arcs, arc{"one", fmt.Sprintf("r0s%d", (i+1)%3)})
			}
			d := driven(tb, compiled(tb, "parallel", render("Parallel", root)))
			all := samples(d.sends("t"))
			return []string{duration(all.ns), duration(all.ns / float64(n)), duration(samples(d.sends("one")).ns)}
		},
	},
	{
		"Transitions of a state", "10 states in a ring; each event takes the last transition of its state.",
		[]string{"transitions", "event", "event that nothing matches"},
		[]int{1, 10, 100, 1000, 10_000},
		func(tb testing.TB, n int) []string {
			d := driven(tb, compiled(tb, "ring", render("Ring", ringChart(10, n-1))))
			return []string{duration(samples(d.sends("next")).ns), duration(samples(d.sends("nothing")).ns)}
		},
	},
	{
		"Depth", "Two branches of nested states; the event leads from leaf to leaf.",
		[]string{"levels", "event", "each level"},
		[]int{1, 10, 100, 400},
		func(tb testing.TB, n int) []string {
			e := samples(driven(tb, compiled(tb, "deep", render("Deep", deepChart(n)))).sends("t"))
			return []string{duration(e.ns), duration(e.ns / float64(n))}
		},
	},
	{
		"Queue length", "Waiting events: in the external queue (sent to ping at once) and in the internal queue (raised at once).",
		[]string{"events", "each external event", "each internal event"},
		[]int{1, 10, 100, 1000, 10_000, 100_000},
		func(tb testing.TB, n int) []string {
			d := driven(tb, compiled(tb, "ping", render("Ping", pingChart())))
			external := samples(func() {
				for range n {
					d.send("t")
				}
				d.finish()
			})
			raises := strings.Repeat(`<raise event="r"/>`, n)
			r := driven(tb, parse(tb, `<state id="s"><transition event="t">`+raises+`</transition><transition event="r"/></state>`, `datamodel="null"`),
				scxml.WithLimits(scxml.Limits{Microsteps: -1}))
			internal := samples(r.sends("t"))
			return []string{duration(external.ns / float64(n)), duration(internal.ns / float64(n))}
		},
	},
	{
		"Sessions", "Independent sessions of ping, without options, which get events in turn. Options take 288 B more of each; 8 B are the pointer to it.",
		[]string{"sessions", "create and start all", "memory", "each session", "each event"},
		[]int{1, 10, 100, 1000, 10_000, 100_000},
		func(tb testing.TB, n int) []string {
			chart := compiled(tb, "ping", render("Ping", pingChart()))
			before := heap()
			all, ctx := make([]*scxml.Session, n), tb.Context()
			began := time.Now()
			for i := range all {
				s, err := scxml.New(chart)
				if err == nil {
					err = s.Start(ctx)
				}
				if err != nil {
					tb.Fatal(err)
				}
				all[i] = s
			}
			took := time.Since(began)
			processAll := func() {
				for _, s := range all {
					driver{s, tb, ctx}.process(scxml.Event{Name: "t"})
				}
			}
			processAll()
			memory := heap() - before
			events := samples(processAll)
			runtime.KeepAlive(all)
			return []string{duration(float64(took)), size(memory), size(memory / float64(n)), duration(events.ns / float64(n))}
		},
	},
	{
		"Invoked sessions", "A parallel whose regions each invoke a session of ping, all in one session tree; an event goes to the first session.",
		[]string{"sessions", "start all", "each session", "event"},
		[]int{1, 10, 100, 1000},
		func(tb testing.TB, n int) []string {
			var b strings.Builder
			b.WriteString(`<parallel id="p">`)
			for i := range n {
				fmt.Fprintf(&b, `<state id="s%d"><invoke><content>%s</content></invoke></state>`, i, render("Ping", pingChart()))
			}
			b.WriteString(`<transition event="t"/></parallel>`)
			chart := parse(tb, b.String(), `datamodel="null"`)
			start := samples(func() {
				d := driven(tb, chart)
				d.finish()
				latest = d
			})
			d := driven(tb, chart)
			d.finish()
			return []string{duration(start.ns), duration(start.ns / float64(n)), duration(samples(d.sends("t")).ns)}
		},
	},
	{
		"Pending delayed sends", "Each event sends another one with a delay; then all become due or are cancelled, one by one.",
		[]string{"pending", "each send", "each becomes due", "each send and cancel"},
		[]int{1, 10, 100, 1000, 10_000, 100_000},
		func(tb testing.TB, n int) []string {
			chart := parse(tb, `<state id="s">
 <transition event="later"><send event="due" delay="1s"/></transition>
 <transition event="once"><send event="due" delay="1s" id="x"/><cancel sendid="x"/></transition>
</state>`, `datamodel="null"`)
			var sends, dues, cancels []cost
			for range 5 {
				d := driven(tb, chart)
				at := now
				began := time.Now()
				for range n {
					at = at.Add(time.Millisecond) // so that each has its own due time
					d.send("later")
					if _, err := d.Step(d.ctx, at); err != nil {
						tb.Fatal(err)
					}
				}
				sends = append(sends, cost{ns: float64(time.Since(began)) / float64(n)})
				once := sample(func() {
					d.send("once")
					if _, err := d.Step(d.ctx, at); err != nil {
						tb.Fatal(err)
					}
				}, 5*time.Millisecond)
				cancels = append(cancels, once)
				began = time.Now()
				if err := d.Advance(d.ctx, at.Add(time.Minute)); err != nil {
					tb.Fatal(err)
				}
				dues = append(dues, cost{ns: float64(time.Since(began)) / float64(n)})
				if _, pending := d.NextDue(); pending {
					tb.Fatal("something is still pending")
				}
			}
			return []string{duration(median(sends).ns), duration(median(dues).ns), duration(median(cancels).ns)}
		},
	},
	{
		"Event names never seen before", "Each event has a different name; the transitions match a prefix of it.",
		[]string{"names", "each event", "memory kept"},
		[]int{1, 10, 100, 1000, 10_000, 100_000},
		func(tb testing.TB, n int) []string {
			names := make([]string, n)
			for i := range names {
				names[i] = fmt.Sprintf("t.number%d", i)
			}
			chart := compiled(tb, "ping", render("Ping", pingChart()))
			var times []cost
			stays := 0.0
			for range 5 {
				d := driven(tb, chart)
				before := heap()
				began := time.Now()
				for _, name := range names {
					d.process(scxml.Event{Name: name})
				}
				times = append(times, cost{ns: float64(time.Since(began)) / float64(n)})
				stays = heap() - before
				runtime.KeepAlive(d)
			}
			runtime.KeepAlive(names)
			return []string{duration(median(times).ns), size(max(0, stays))}
		},
	},
}

// print measures the table and prints it.
func (g growth) print(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s\n\n| %s |\n|%s\n", g.title, g.about, strings.Join(g.columns, " | "), strings.Repeat("---:|", len(g.columns)))
	for _, n := range g.sizes {
		fmt.Fprintf(&b, "| %d | %s |\n", n, strings.Join(g.row(t, n), " | "))
	}
	report(t, b.String())
}

// sends returns a function that processes an event of the given name.
func (d driver) sends(name string) func() {
	return func() {
		d.send(name)
		d.finish()
	}
}

func (d driver) send(name string) {
	if err := d.Send(scxml.Event{Name: name}); err != nil {
		d.tb.Fatal(err)
	}
}

// finish does all the work there is.
func (d driver) finish() {
	for more := true; more; {
		var err error
		if more, err = d.Step(d.ctx, now); err != nil {
			d.tb.Fatal(err)
		}
	}
}

// samples measures op a few times and returns the median.
func samples(op func()) cost {
	op()
	var all []cost
	for range 9 {
		all = append(all, sample(op, 5*time.Millisecond))
	}
	return median(all)
}

// heap returns how many bytes are in use.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// size writes a number of bytes with a fitting unit.
func size(bytes float64) string {
	for _, unit := range []string{"B", "KB", "MB"} {
		if bytes < 9999.5 {
			return fmt.Sprintf("%.0f %s", bytes, unit)
		}
		bytes /= 1000
	}
	return fmt.Sprintf("%.0f GB", bytes)
}
