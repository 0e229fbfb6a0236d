package compile_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var compareMistakes = flag.Bool("compare.mistakes", false, "TestMistakesAreFound: run it, which takes an hour")

// planted are mistakes in the generator, and in what the code that it makes imports. Files are those of scxml.
var planted = []struct{ mistake, file, before, after string }{
	{"the source of an internal transition is never the domain", "compile/structure.go", `if t.Internal && t.Source.Kind == doc.Compound && inside(t.Source) {`, `if false && t.Internal && inside(t.Source) {`},
	{"a deep history has one register too few", "compile/names.go", "n = g.partsBelow(s.Parent)\n", "n = max(1, g.partsBelow(s.Parent)-1)\n"},
	{"a descriptor matches its own name only", "compile/events.go", `table.Matches(name, ev.names[end])`, `name == ev.names[end]`},
	{"parallels have no done event", "compile/events.go", `if s.Kind != doc.Parallel && (`, `if s.Kind == doc.Parallel || (`},
	{"an <elseif> is asked after a branch has run", "compile/content.go", "g.p(\"} else {\")\n\t\t\t\topened++", "g.p(\"}\\n{\")\n\t\t\t\topened++"},
	{"only the first onentry block runs", "compile/content.go", "\t\t\tnames = names[1:]\n", "\t\t\tnames = names[1:]\n\t\t\tbreak\n"},
	{"the <content> of a <donedata> that fails is undefined", "compile/content.go", `return \"\"\n}\nreturn %s`, `return nil\n}\nreturn %s`},
	{"<cancel> ignores its id", "compile/content.go", `machine.Cancel(m, %s)", strconv.Quote(e.SendID)`, `machine.Cancel(m, %s)", strconv.Quote("x")`},
	{"an error in a <send> does not end the block", "compile/content.go", `Event: machine.Event{%s}, %s}) {\nreturn\n}`, `Event: machine.Event{%s}, %s}) {\n}`},
	{"a shortcut asks ancestors before descendants", "compile/fast.go", `slices.Backward(s.sources) { // descendants`, `slices.All(s.sources) { // descendants`},
	{"a shortcut does not clear the registers of what it leaves", "compile/fast.go", "set[0].state != last {\n\t\t\t\tg.assign(append(set, g.left(d, set)...))", "set[0].state != last {\n\t\t\t\tg.assign(set)"},
	{"a shortcut does not record histories", "compile/fast.go", `for _, h := range g.historiesBelow(d) {`, `for _, h := range g.historiesBelow(d)[:0] {`},
	{"of several regions only the first takes an event", "compile/regions.go", `machine.TakeAll(m, enabled[:n])`, `machine.TakeAll(m, enabled[:1])`},
	{"regions are asked from the last to the first", "compile/regions.go", `range byPart { // in document order`, `range slices.Backward(byPart) {`},
	{"of several regions each asks ancestors before descendants", "compile/regions.go", `slices.Backward(s.sources) { // descendants`, `slices.All(s.sources) { // descendants`},
	{"late data are bound early", "compile/dynamic.go", `if !d.Late {`, `if true {`},
	{"of transitions in conflict that of the ancestor wins", "machine/step.go", `!c.descends(source, c.Transitions[t2].Source)`, `c.descends(source, c.Transitions[t2].Source)`},
	{"regions are exited in document order", "machine/step.go", `for part := end - 1; part >= first; part-- {`, `for part := first; part < end; part++ {`},
	{"internal events come before eventless transitions", "machine/step.go", "if s.chart.Eventless && !s.asked {\n", "if s.chart.Eventless && !s.asked && s.internal.len() == 0 {\n"},
	{"what a state invokes starts though the state was exited", "machine/step.go", `s.toInvoke = slices.Delete(s.toInvoke, i, i+1)`, `_ = i`},
	{"a shallow history remembers the leaf", "machine/step.go", `to[0] = c.Child(s.regs[c.part(st)], st)`, `to[0] = s.regs[c.part(st)]`},
	{"the content of a default history does not run", "machine/entry.go", `if content != No && c.Transitions[content].Content {`, `if false {`},
	{"an outer parallel does not complete", "machine/entry.go", `p != No && c.Kinds[p] == Parallel && s.isInFinalState(p)`, `p != No && false`},
	{"timers of one time fire in the wrong order", "machine/timers.go", `cmp.Compare(t.seq, u.seq)`, `cmp.Compare(u.seq, t.seq)`},
	{"the target #_internal is the external queue", "machine/send.go", "if m.Target == \"#_internal\" {\n\t\tev.Type", "if m.Target == \"#_none\" {\n\t\tev.Type"},
	{"a <finalize> does not run", "machine/invoke.go", `if inv.ID == ev.InvokeID {`, `if false {`},
	{"eventless transitions are not asked after an event that nothing takes", "compile/follow.go", `case g.eventlessNotices():`, `case false:`},
	{"a state counts as left at once if it has a transition without an event", "compile/api.go", `len(t.Events) == 0 && t.Cond == nil })`, `len(t.Events) == 0 })`},
	{"of the eventless transitions of a state only the first is asked for rest", "compile/follow.go", `g.p("if %s && (%s) {", g.active(s), strings.Join(conds, " || "))`, `g.p("if %s && (%s) {", g.active(s), conds[0])`},
	{"what an internal event enters does not begin", "machine/core.go", `if s.steps = steps; moves {`, `if s.steps = steps; moves && false {`},
	{"an object as data is not passed on", "compile/typed_event.go", `m.p("m.ev.given, m.ev.read = ev.Data, false")`, `m.p("m.ev.given, m.ev.read = nil, false")`},
	{"an assignment that fails assigns", "compile/internal/es/code.go", `if v := %s; %s == \"\" {\n%s = %s\n}`, `if v := %s; %s == \"\" || true {\n%s = %s\n}`},
	{"an item that is read before its value is not undefined", "compile/internal/es/chart.go", `m.growTo(v, Undefined) // it is read before it is initialised`, `_ = v`},
	{"the content of histories below the domain does not run", "machine/entry.go", `|| c.descends(c.Parent[target], d) {`, `{`},
	{"a member of null does not fail", "machine/js/operators.go", `case data.IsNullish():`, `case data.IsUndefined():`},
	{"?. of a member fails for undefined", "machine/js/operators.go", "func OptionalMember(data, member *Value, name string) Value {\n\tif data.IsNullish() {", "func OptionalMember(data, member *Value, name string) Value {\n\tif data.IsNull() {"},
	{"== of null and undefined is false", "machine/js/operators.go", `return a.typ() <= TypeNull && b.typ() <= TypeNull`, `return a.typ() == b.typ()`},
	{`an attribute that is undefined is the text "undefined"`, "machine/js/operators.go", "func AttributeText(err *string, v Value, source string) string {\n\tif v.IsNullish() {", "func AttributeText(err *string, v Value, source string) string {\n\tif v.IsNull() {"},
	{"?? takes the right side for null only", "machine/js/operators.go", "func Coalesce(a, b Value) Value {\n\tif a.IsNullish() {", "func Coalesce(a, b Value) Value {\n\tif a.IsNull() {"},
	{"an item takes a value of any type from the host", "machine/js/data.go", `return v, err == nil && types&(1<<typ) != 0`, "_ = typ\n\treturn v, err == nil"},
	{"&& has the types of its right side only", "compile/internal/es/emit.go", "typ = l.typ&^objects | r.typ\n", "typ = r.typ\n"},
	{"=== of two types does not fail though an operand does", "compile/internal/es/operators.go", `case l.typ&r.typ == 0 && pure && strict:`, `case l.typ&r.typ == 0 && strict:`},
	{"a late item is not undefined at first", "compile/internal/es/chart.go", `if v.order = max(v.order, i); it.Late || it.Init == nil || it.Fails`, `if v.order = max(v.order, i); it.Init == nil || it.Fails`},
	{"a failure does not end a script", "compile/internal/es/stmts.go", `w := &writer{emitter: emitter{Chart: c, e: e, out: &emission{rich: true}}, b: &b}`, `w := &writer{emitter: emitter{Chart: c, e: e, out: &emission{}}, b: &b}`},
	{"late data are bound at each entry", "machine/entry.go", `s.bound = append(s.bound, st)`, `s.bound = s.bound[:0]`},
	{"an event without data keeps the data of the one before", "compile/typed_event.go", `node, m.eventLiteral("name", "typ"))`, `node, m.eventLiteral("name", "typ", map[bool][]string{true: {"data: m.ev.data"}}[m.looks]...))`},
	{"a condition that fails is true", "compile/model.go", "return m.fails(element, at)\n}`)", "return !m.fails(element, at)\n}`)"},
	{"an empty <finalize> does not update", "compile/invoke.go", "for _, src := range inv.Namelist {\n\t\tupdate(", "for _, src := range inv.Namelist[:0] {\n\t\tupdate("},
	{"a message to a parent has no invokeid", "machine/send.go", `ev.InvokeID = s.invokeID`, `_ = s.invokeID`},
	{"an array in an item is not a copy of the event's", "machine/js/data.go", `v, _ := From(MemberAny(data, name))`, `v, _ := ValueOf(MemberAny(data, name))`},
	{"substring does not swap its ends", "machine/js/text.go", `return cut(s, min(from, to), max(from, to))`, `return cut(s, from, max(from, to))`},
}

// TestMistakesAreFound: 100 random charts, the other tests, or the documents find each mistake.
func TestMistakesAreFound(t *testing.T) {
	for _, m := range planted {
		source, err := os.ReadFile(filepath.Join("..", m.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), m.before); n != 1 {
			t.Errorf("%s: the text to be changed is %d times in %s, want once", m.mistake, n, m.file)
		}
	}
	if !*compareMistakes || t.Failed() {
		return
	}
	module := copyModule(t)
	for _, m := range planted {
		t.Run(m.mistake, func(t *testing.T) {
			file := filepath.Join(module, "scxml", m.file)
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write := func(text string) {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(strings.Replace(string(source), m.before, m.after, 1))
			defer write(string(source))
			for _, args := range [][]string{
				{"./scxml/compile", "-run=^TestRandomCharts$", "-compare.charts=100"},
				{"./scxml/compile/...", "./scxml/machine/...", "-skip=^Test(RandomCharts|Documents|MistakesAreFound)$"},
				{"./scxml/compile", "-run=^TestDocuments$", "-compare.every=1"},
			} {
				test := exec.Command("go", append([]string{"test", "-vet=off", "-count=1"}, args...)...)
				test.Dir = module
				out, err := test.CombinedOutput()
				if err == nil {
					continue
				}
				var by []string
				for _, f := range regexp.MustCompile(`(?m)^--- FAIL: (Test\w+)`).FindAllStringSubmatch(string(out), -1) {
					by = append(by, f[1])
				}
				if by == nil {
					t.Fatalf("%v: %v\n%.2000s", test, err, out)
				}
				slices.Sort(by)
				t.Logf("found by %v", by)
				return
			}
			t.Error("not found")
		})
	}
}

// copyModule returns a folder with a copy of the files of this module.
func copyModule(t *testing.T) string {
	dir := t.TempDir()
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		from, to := filepath.Join("../..", e.Name()), filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
			continue
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		default:
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, data, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
