package isolate_test

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// An attack is a hostile script.
type attack struct{ Name, Script string }

// attacks are those that nothing in the process of a session ends, or that end the process. They
// are named after what they use.
var attacks = []attack{
	{"stack: Reflect.apply", `var a=[Reflect.apply,undefined];a.push(a);Reflect.apply(Reflect.apply,undefined,a)`},
	{"stack: a getter that is Reflect.apply", `new Proxy(function(){},{get:Reflect.apply}).x`},
	{"stack: a getter that is Object.assign", `new Proxy({a:1},{get:Object.assign}).a`},
	{"stack: Promise.resolve that is Promise.all", `Promise.resolve=Promise.all;var a=[];a.push(a);Promise.all(a)`},
	{"stack: Promise.resolve that is Promise.race", `Promise.resolve=Promise.race;var a=[];a.push(a);Promise.race(a)`},
	{"stack: Promise.resolve that is Promise.any", `Promise.resolve=Promise.any;var a=[];a.push(a);Promise.any(a)`},
	{"stack: Promise.resolve that is Promise.allSettled", `Promise.resolve=Promise.allSettled;var a=[];a.push(a);Promise.allSettled(a)`},
	{"stack: has that is isSubsetOf", `var s=new Set();s.add(s);s.has=s.isSubsetOf;s.isSubsetOf(s)`},
	{"stack: exec that is Symbol.match", `var r=/a/;r.exec=RegExp.prototype[Symbol.match];r.exec('x')`},
	{"stack: length that is join", `var a=Object.create(Array.prototype);Object.defineProperty(a,'length',{get:[].join});a.join()`},
	{"hang: Set of an iterator without end", `var it=[].values(); it.next=Object; new Set(it)`},
	{"hang: spread of an iterator without end", `var it=[].values(); it.next=Object; [...it]`},
	{"hang: Array.from an iterator without end", `var it=[].values(); it.next=Object; Array.from(it)`},
	{"hang: Promise.race of an iterator without end", `var it=[].values(); it.next=Object; Promise.race(it)`},
	{"hang: regular expression", `/(a*)*\1b/.test('a'.repeat(60))`},
	{"hang: sparse array", `var a=[];a[4294967294]=1;a.reverse()`},
	{"memory: join", `new Array(100000).join('x'.repeat(1e5)).length`},
	{"memory: one large allocation", `var s='x'.repeat(2e8);s.concat(s,s)`},
	{"memory: replace", `'x'.repeat(1e5).replace(/x/g,'$` + "`" + `')`},
	{"memory: replaceAll", `'x'.repeat(1e5).replaceAll('','y'.repeat(1e5))`},
	{"memory: String.raw", `String.raw({raw:{length:1e9,0:'x'}},'y')`},
	{"memory: typed arrays", `var a=[];for(;;)a.push(new Float64Array(1e7))`},
	{"memory: ArrayBuffer", `var a=[];for(;;)a.push(new ArrayBuffer(256*1024*1024))`},
	{"memory: keys of JSON.stringify", `var k='x'.repeat(1e6),o={};o[k]=1;JSON.stringify(new Array(600).fill(o)).length`},
	{"memory: indentation of JSON.stringify", `var o=[];for(var i=0;i<400;i++)o=[o];JSON.stringify(new Array(5000).fill(o),null,10).length`},
	{"memory: BigInt shift", `1n<<(2n**33n)`},
	{"memory: BigInt power", `(2n**100000000n)**30n`},
	{"memory: doubling", `var s='x';for(;;)s=[s,s]`},
	{"guards: RangeError", `RangeError=5;'x'.repeat(1e9)`},
}

var long = flag.Bool("isolate.long", false, "also run the attacks of datamodel/ecmascript/testdata and ../shared/attacks, and count the time of other sessions")

// given returns the attacks that package ecmascript leaves to the wall, and those that are handed to
// developers of this project, if they are there.
func given(t *testing.T) (all []attack) {
	if !*long {
		return nil
	}
	left, err := txtar.ParseFile("../../datamodel/ecmascript/testdata/attacks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left.Files {
		all = append(all, attack{f.Name, string(f.Data)})
	}
	f, err := os.Open("../../../shared/attacks/scripts.jsonl")
	if err != nil {
		t.Log("../shared/attacks is not there: only those of the project run")
		return all
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var a attack
		if err := json.Unmarshal(in.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// hostile returns a chart that runs the script when it gets the event go.
func hostile(script string) []byte {
	var text strings.Builder
	_ = xml.EscapeText(&text, []byte(script)) // a Builder does not fail
	return document(`<datamodel><data id="d"/></datamodel><state id="s"><transition event="go" target="t"/></state>
<state id="t"><onentry><script>` + text.String() + `</script></onentry></state>`)
}

// Every attack ends as an error event, a limit, or the death of its child, none of them needs more
// memory than it may, and the session of another tenant notices nothing.
func TestAttacksEnd(t *testing.T) {
	cfg := isolate.Config{Spare: 1, Deadline: 400 * time.Millisecond}
	if *long {
		cfg.Deadline = isolate.DefaultDeadline
	}
	pool := newPool(t, cfg)
	other := begin(t, newPool(t, isolate.Config{}), isolate.Spec{Source: document(counter)})
	events := 0
	for i, a := range append(attacks, given(t)...) {
		t.Run(a.Name, func(t *testing.T) {
			tenant, err := pool.Tenant(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			var effect isolate.Effect
			s, err := tenant.New(t.Context(), isolate.Spec{Name: "attack.scxml", Source: hostile(a.Script)})
			if err == nil {
				err = s.Start(t.Context())
			}
			if err == nil {
				effect, err = s.Do(t.Context(), start, scxml.Event{Name: "go"})
			}
			took := time.Since(began)
			var died *isolate.Error
			var limit *scxml.LimitError
			outcome := "nothing"
			switch {
			case errors.As(err, &died):
				if died.Reason == isolate.Protocol || died.Reason == isolate.Closed {
					t.Error(err)
				}
				outcome = err.Error()
			case errors.As(err, &limit), err == nil:
				if len(effect.Errors) > 0 {
					outcome = effect.Errors[0].Msg
				}
			default:
				t.Error(err)
			}
			if outcome == "nothing" && i < len(attacks) { // some of those that are given are harmless
				t.Error("nothing has happened")
			}
			do(t, other, start, "t", nil)
			if events++; other.In("a") != (events%2 == 0) {
				t.Errorf("the other session is in %v after %d events", other.Configuration(), events)
			}
			tenant.Close()
			rss := tenant.MaxRSS()
			t.Logf("%v, %d MB: %.300s", took.Round(time.Millisecond), rss>>20, outcome)
			if rss > isolate.DefaultMemory {
				t.Errorf("the child had %d MB: want at most %d", rss>>20, isolate.DefaultMemory>>20)
			}
		})
	}
}

// TestOthersKeepTheirTime measures how long the events of 1,000 sessions take, in this process and in
// 8 children, during the attacks and in pauses between them. It only reports: how busy the
// machine is with other things is not ours.
func TestOthersKeepTheirTime(t *testing.T) {
	if !*long {
		t.Skip("run with -isolate.long")
	}
	pool := newPool(t, isolate.Config{Spare: 1, Deadline: isolate.DefaultDeadline})
	var there, here []func() error
	chart, err := scxml.Parse("counter.scxml", document(counter))
	if err != nil {
		t.Fatal(err)
	}
	others := newPool(t, isolate.Config{})
	for range 8 {
		tenant, err := others.Tenant(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 125 {
			s, err := tenant.New(t.Context(), isolate.Spec{Name: "counter.scxml", Source: document(counter)})
			if err == nil {
				err = s.Start(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			there = append(there, func() error { _, err := s.Do(t.Context(), start, tick); return err })
			local, err := scxml.New(chart)
			if err == nil {
				err = local.Start(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			here = append(here, func() error { _, err := local.Do(t.Context(), start, tick); return err })
		}
	}
	for _, others := range []struct {
		name string
		do   []func() error
	}{{"in this process", here}, {"in 8 children", there}} {
		idle, attacked := percentiles99(t, others.do, append(attacks, given(t)...), func(a attack) {
			s, err := pool.New(t.Context(), isolate.Spec{Name: "attack.scxml", Source: hostile(a.Script)})
			if err == nil {
				_ = s.Start(t.Context())
				_, _ = s.Do(t.Context(), start, scxml.Event{Name: "go"}) // see TestAttacksEnd
				s.Close()
			}
		})
		t.Logf("1,000 sessions %s: 99 of 100 events take at most %v, during the attacks %v (%.2f times as long)", others.name, idle, attacked, float64(attacked)/float64(idle))
	}
}

// percentiles99 gives events to sessions in turn, a thousand a second, while do attacks and pauses as
// long after each attack. It returns the times that 99 of 100 events do not exceed in the pauses and
// during the attacks.
func percentiles99(t *testing.T, sessions []func() error, attacks []attack, do func(attack)) (idle, attacked time.Duration) {
	var attacking atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, a := range attacks {
			attacking.Store(true)
			began := time.Now()
			do(a)
			attacking.Store(false)
			time.Sleep(time.Since(began))
		}
	}()
	took := map[bool][]time.Duration{}
	pace := time.NewTicker(time.Millisecond)
	defer pace.Stop()
	for i := 0; ; i++ {
		select {
		case <-done:
			for _, all := range took {
				slices.Sort(all)
			}
			at := func(all []time.Duration) time.Duration { return all[len(all)*99/100] }
			return at(took[false]), at(took[true])
		case <-pace.C:
		}
		hit := attacking.Load()
		began := time.Now()
		if err := sessions[i%len(sessions)](); err != nil {
			t.Fatal(err)
		}
		hit = hit || attacking.Load() // an attack has begun meanwhile
		took[hit] = append(took[hit], time.Since(began))
	}
}
