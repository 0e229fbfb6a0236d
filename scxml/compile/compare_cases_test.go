package compile_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
)

var scriptFile = flag.String("scripts.file", "", "a file with scripts, separated by empty lines, that are compared instead of those of TestScripts")

// scriptCases are scripts with which compiled charts once did something else than the interpreter. What they give to the
// function t is compared, with the data. Before a line "---" are functions of the chart; executable content begins with "<".
var scriptCases = []string{
	"for (const x of nums) { try { if (x == 1) continue; t(x); if (x == 2) break } finally { t('f') } }",
	"function f() { for (;;) { try { try { return t(1) } finally { t(2) } } finally { break } } return 3 } t(f())",
	"t((function () { try { try { return 1 } finally { t(2) } } finally { t(3) } })())",
	"outer: for (const x of nums) { for (const y of nums) { try { if (y == 1) continue outer; if (x == 2) break outer; t(y) } catch (e) {} } }",
	"t(t(1, t(2), t(3)))",
	"nums.length ??= 1; nums.length ||= 2",
	"function max(a, b) { return a > b ? a : b }\n---\nt(max(1, 2)); t(max('b', 'a')); num = max(num, 3); str = max(str, 'x'); t(max(flag, false)); t(max(1))",
	"function max(a, b) { return a > b ? a : b } function twice(x) { var y = max(x, x); return x + y }\n---\nt(twice(1)); t(twice('a')); num = twice(num); str = twice(str)",
	"function more(x, n) { return n > 0 ? more(x + x, n - 1) : x }\n---\nt(more(1, 2)); t(more('a', 3)); t(more(-0, 0))",
	"function id(x) { return x } function of(x) { return id(x) }\n---\nt(id(1)); t(id('a')); t([true, 2].map(id)); t(of(1)); t(of(false))",
	"function sum(a, b) { return a + b }\n---\nt(sum(1)); t(sum('a')); t(sum(1, 'b')); t(sum('a', 2, t(3))); t(sum(true, t(1)))",
	"function len(x) { return x.length.y }\n---\nt(len('a')); t(len(1))",
	"function each(x) { return nums.map(function (n) { return n + x }) }\n---\nt(each(1)); t(each('a'))",
	"function even(x, n) { return n < 1 ? x : odd(x, n - 1) } function odd(x, n) { return n < 1 ? 'odd' : even(x, n - 1) }\n---\nt(even(1, 4)); t(even('a', 3)); t(odd(true, 1))",
	"function set(x) { if (x > 'm') num = 1; return typeof x }\n---\nt(set('z')); t(set(5)); t(num)",
	"nums.b = 1; for (const i in nums) { t(i); nums[i / 2 + 0.5] = 1; nums.length = 4 } for (const i in obj) { t(i); obj[i + i] = 1 }",
	`<script>obj[1] = 0; obj.o.s = obj; obj[1] = obj</script><log expr="obj"/><log expr="{n: obj}"/>`,
	"var item = 1; for (const x of [7, 8]) { t(item); t(x) } var name = 2; for (const y in {a: 1}) t(name + y)",
	"let result = 5; t((() => { try { return result } finally { t(result) } })())",
	"let o = [[1, 2]], k = 0; o[k][k + 1] += k; t(o)",
	"any[t('n')] ??= t(1)",
	"switch (num) { case 5: let y = 2; case 6: let z = 3; z = 4 }",
	"function g() { t(h(1)); } function h(x) { return x + 1 }\n---\nt(g())",
	"obj.o.n = obj; obj.n = obj; num = 3",
	"t(any[101])",
	"t(obj.z[101])",
	"obj.z[101] = t(1)",
	"obj.z[101] += t(1)",
	"obj.z[101]++",
	"delete obj.z[1]",
	"num.slice(1)",
	"num.x.y",
	"str.x.y",
	"_event.name.x.y",
	"'e2'.x.y",
	"nums.sort().z.y = 1",
	"any.forEach(t)",
	"num.forEach(t)",
	"t(nums.map(function (x) { return t(x) }))",
	"t('ab'.split('').map(t)); t([1, 2].map(String)); t(nums.filter(isNaN)); t(['1', '2'].map(Number))",
	`<assign location="str.n" expr="1"/>`,
	`<assign location="str[0]" expr="1"/>`,
	`<assign location="num.n" expr="1"/>`,
	`<assign location="num[0]" expr="1"/>`,
	`<assign location="flag[t('x')]" expr="t(1)"/>`,
	`<assign location="any.n" expr="t(1)"/>`,
	`<assign location="any[t('x')]" expr="t(1)"/>`,
	`<assign location="obj.z.n" expr="t(1)"/>`,
	`<assign location="str.length" expr="1"/>`,
	`<assign location="nums.length" expr="-1"/>`,
	`<assign location="nums[t(1)]" expr="t(2)"/>`,
	`<assign location="t(nums)[t(1)]" expr="t(2)"/>`,
	`<assign location="nums[t(1)]" expr="t(any.x)"/>`,
	`<assign location="nums[5]" expr="t(any)"/>`,
	`<assign location="obj.o" expr="nums"/><assign location="obj.o[0]" expr="77"/>`,
	`<assign location="obj.o"/>`,
	`<assign location="obj.o">{"x": [1]}</assign>`,
	`<foreach array="nums" item="x" index="i"><script>t(x); t(i); nums.push(1)</script></foreach>`,
	`<foreach array="list" item="any" index="num"><script>t(any); t(num); list.length = 0</script></foreach>`,
	`<foreach array="obj" item="any"><script>t(any)</script></foreach>`,
	`<foreach array="str" item="any"><script>t(any)</script></foreach>`,
	`<foreach array="any" item="any"><script>t(any)</script></foreach>`,
	`<foreach array="[1, , 3]" item="any"><script>t(any); any = 7</script></foreach>`,
	`<foreach array="list" item="any"><assign location="any.n" expr="9"/></foreach>`,
	`<raise event="x"/><send event="y"><param name="n" expr="obj"/><param name="a" expr="obj.o"/></send><script>obj.o.n = 7; obj.n = 8</script>`,
	`<send event="y" namelist="obj nums any"/><send event="y"><content expr="list"/></send><send event="y"><content expr="any"/></send><send event="y"><content expr="num"/></send><script>obj.o.n = 7; list.length = 1</script>`,
	`<send event="y" namelist="obj.o"/>`,
	`<send event="y"><param name="n" location="obj.o.n"/><param name="n" expr="2"/></send>`,
	`<send eventexpr="obj"/><send eventexpr="nums"/><send event="a" delayexpr="obj"/><send event="a" targetexpr="nums"/>`,
	`<log expr="obj = {n: 1}, obj"/><log label="x" expr="obj.o ? list : 7"/>`,
	`<if cond="list.length = 0"><log expr="1"/><else/><log expr="list"/></if>`,
	`<if cond="obj"><log expr="1"/></if><if cond="any ?? nums"><log expr="1"/></if><if cond="any.x"><log expr="1"/></if>`,
	"delete any.s",
	"any.s = t(1)",
	"any.s += t(1)",
	"any[t('a')] = t(1)",
	"any[t('a')] += t(1)",
	"any.s++",
	"any[t(1)]--",
	"any.s &&= t(1)",
	"any.s.x = t(2)",
	"null[0]",
	"any[0]",
	"any['x' + num]",
	"t(any?.x); t(any?.[t(1)]); t(obj.o?.[t('n')])",
	"any.push(1)",
	"nums.nope(1)",
	"obj.nope(t(1))",
	"Object.assign(any, {})",
	"t(Object.assign(obj, null, 'ab', [7]))",
	"for (const x of 'aé') t(x)",
	"for (const x of any) t(x)",
	"for (const x of 5) t(x)",
	"for (const x of obj) t(x)",
	"for (const x in any) t(x)",
	"for (const x in 'ab') t(x)",
	"[].reduce((a, b) => a)",
	"throw {n: 1}",
	"throw [1, {a: 2}]",
	"throw null",
	"throw undefined",
	"throw 'text'",
	"throw new Error('x')",
	"throw new TypeError()",
	"throw Error('x')",
	"t(String(new RangeError('x'))); t(new Error('x')); t(new Error('x').name)",
	"try { nowhere } catch (e) { t(e); t(String(e)); t(Object.keys(e)) }",
	"const c = 1; c = t(2)",
	"const c = 1; c += t(2)",
	"const c = 1; c++",
	"'a' in 'b'",
	"1 in num",
	"'a' in any",
	"nums.length = -1",
	"nums.map(1)",
	"nums.map(t(obj))",
	"nums.sort(1)",
	"nums.forEach()",
	"'a'.repeat(-1)",
	"(1).toFixed(101)",
	"function f() { return f() } f()",
	"function f() { return f() } try { f() } catch (e) { t(e.message); t(e.name) }",
	"function h() { return x } try { t(h()) } catch (e) { t(String(e)) } let x = 1; t(h())",
	"let c, d; for (let i = 0; i < 3; i++) { if (!c) c = () => t(i); else d = x => i = x + i } t(c() + d(1)); t(c()); t(d(2))",
	"let c, d; for (let i = 0, j = i + 1; i < 3; i++, j += 2) { if (!c) c = () => t(i + j++); i++ } t(c()); t(c())",
	"let c; l: for (let i = 0; ; i++) { if (i > 3) break l; if (i == 1) c = () => i; if (i == 2) continue l; i++ } t(c())",
	"(function () { let c, d; for (var i = 0; i < 3; i++) { if (!c) c = () => t(i); else d = x => i = x + i } t(c() + d(1)); t(c()) })()",
	"let c; for (let i = () => 7; !c; ) { c = () => i() } t(c())",
	"let c; for (const x of nums) c = () => x; t(c()); for (const x in obj) c = () => x; t(c())",
	"for (const i of nums) switch (i) { case 1: let y = 2; t(y); break; case 2: let z = i; let f = () => z; t(f()) }",
	"switch (num) { case 5: let y; t(y); y = 3; t(y) }",
	"let c; let i = 0; while (i < 3) { let j = i; if (i == 1) c = () => j++; i++ } t(c()); t(c())",
	"nums.forEach(function (x) { t(x === (x--)); t(x !== (x = 7)); t((x++) === x) })",
	"let x = num; t(num === (num--)); t((num += 1) === num); t(str === (str += 'a')); t(flag === (flag = !flag)); t(any === (any = 1)); t(any === (any = true))",
	"t(t('a') === t(num)); t(t(5) === num); t(num === t(5)); t((any = 2) === t(any)); t('text' === t(str)); t(t(1) !== (num = 4))",
	"t(num < (num += 1)); t(any < (any = 1)); t(str < (str += 'b')); t(num - (num = 2)); t(num + (num = 1)); t(str + (str = 'q')); t(num % (num += 3)); t(num & (num = 7)); t(num ** (num = 2)); t(num >> (num = 1))",
	"t(nums + nums.push(1)); t(nums - nums.push(1)); t(`${nums}${nums.pop()}${nums}`); t(nums == nums.push(3)); t('' + nums + nums.pop())",
	"t(nums[num = 1] + num); t(nums[(num = 0) + num++]); t([num, num++, num]); t({a: num, b: ++num, [num]: num--, c: num}); t(Math.max(num, num++, num)); t(`${num}${num++}${num}`); t((num, num++, num))",
	"t(obj.n + (obj.n = 7)); t(obj.n === (obj.n = 8)); t(obj.n + obj.n++ + obj.n); t(obj.n - (obj = {n: 1}).n + obj.n)",
	"t(num ? num-- : 0); t(num && num--); t((num = 0) || num); t(any ?? (any = 3)); t(any ?? t(1)); t(!(num = 1)); t(typeof (num = 2)); t(void (num = 3)); t(-(num = 4) + num); t(~(num = 1) + num)",
	`<assign location="1 + 1" expr="t(1)"/>`,
	`<assign location="1 + 1" expr="any.x"/>`,
	`<assign location="nowhere" expr="t(1)"/>`,
	`<assign location="nowhere" expr="any.x"/>`,
	`<assign location="_event" expr="t(1)"/>`,
	`<assign location="_event.x" expr="any.x"/>`,
	`<assign location="nowhere.x" expr="t(1)"/>`,
	`<assign location="nowhere[t(1)]" expr="t(2)"/>`,
	`<assign location="obj.o.n.x.y" expr="t(2)"/>`,
	`<assign location="num" expr="t(any.x)"/>`,
	`<assign location="num" expr="1 +"/>`,
	`<assign location="obj[t(1)][any.x]" expr="t(2)"/>`,
	"const fact = n => n < 2 ? 1 : n * fact(n - 1); t(fact(5))",
	"let even = n => n == 0 || odd(n - 1), odd = n => n != 0 && even(n - 1); t(even(6)); t(odd(3))",
	"const a = () => b; const b = 3; t(a())",
	"const f = function g(n) { return n ? g(n - 1) + 1 : 0 }; t(f(4))",
	"const f = () => later(); function later() { return x } const x = 5; t(f())",
	"let total = 0; const add = n => { total += n; return total }; t(add(2)); t(add(3))",
	"let x = 3; t(h()); function h() { x = 4; return x } t(x)",
	"function h() { x = 4 } let x = 3; t(x); h(); t(x)",
	"let n = 0; function inc() { n++; return n } t(inc()); t(inc()); t(n)",
	"let l = [[], , []]; for (const j in l) { t(j); if (out.length < 9) l.unshift(1) }",
	"let l = [1, , 3]; for (const j in l) { t(j); l[1] = 2; l.push(4); delete l[2] } for (const j in l) t(j)",
	"let o = {a: 1, b: 2, 3: 4}; for (const j in o) { t(j); delete o.b; o.c = 1; o[1] = 2 }",
	"for (const x of any ?? nums) t(x); for (const x of undefined) t(x)",
	"t(_name.split('')); t(_sessionid.slice(0, 2)); t(_name.toUpperCase())",
	`<script>++obj['s']</script><send event="y" target="#_internal"><content expr="obj = obj"/></send><if cond="any"><send event="y" target="#_internal"><param name="s" expr="str"/></send></if>`,
	`<log expr="item"/><foreach array="nums" item="item" index="at"><log expr="at"/></foreach><log expr="item"/><log expr="typeof item + at"/>`,
	`<if cond="never"><log/></if><if cond="typeof never == 'undefined'"><script>if (num > 9) { var never = 1 }</script></if><if cond="!never"><log expr="never"/></if>`,
	`<assign location="late" expr="t(1)"/><log expr="late"/>`,
	`<foreach array="nums" item="late"><log/></foreach><assign location="late" expr="late + 'x'"/><assign location="late" expr="any.x"/><log expr="late"/>`,
	"function read() { return seen }\n---\ntry { read() } catch (e) { t(e.message) } var seen = 3; t(read())",
	"let unread = 1; typeof unread; for (const y of nums) {} let z; z = 2",
}

// A scriptDifference is a script with which a compiled chart does something else: a fault of goja, or what is not compiled.
type scriptDifference struct{ why, script, interpreter, compiled string }

// tooLarge is what goja takes a number from 2^63 on for: 0 on amd64, -1 on arm64 and s390x.
var tooLarge = func() int32 {
	n, _ := strconv.ParseFloat("1e21", 64) // not a constant, which another processor may have converted
	return int32(int64(n))
}()

var scriptDifferences = []scriptDifference{
	{"goja takes integers from 2^63 on as this processor does", "t(1e21 | 0); let n = 1e21; t(n | 0); t(~n)", fmt.Sprintf("[%[1]d,%[1]d,%[2]d,]", tooLarge, ^tooLarge), `[-559939584,-559939584,559939583,]`},
	{"goja's parseInt rounds large integers in another way", "str = '123456789012345680000'; t(parseInt(str))", `[123456789012345670000,]`, `[123456789012345680000,]`},
	{"goja's parseInt does not return -0", "str = '-0'; t(parseInt(str))", `[0,]`, `[{"$number":"-0"},]`},
	{"0 times a negative integer is 0 in goja", "let n = 0; t(n * -2)", `[0,]`, `[{"$number":"-0"},]`},
	{"goja's catch catches what finally of the same try throws", "try { try {} catch (e) { t('caught') } finally { any.x } } catch (e) {}", `["caught",]`, `[]`},
	{"goja evaluates the arguments before it finds that there is no function", "nowhere(any.x)", "TypeError: Cannot read property 'x' of undefined", "ReferenceError: nowhere is not defined"},
	{"goja fails with break and continue in what cannot be reached", "for (const x of nums) { if (false) break; t(x) }", "internal error of the script engine", `[3,1,2,]`},
	{"goja's var without a value has that of an argument without a parameter", "nums.forEach(n => { var v; () => v + n; t(v) })", `[0,1,2,]`, `[undefined,undefined,undefined,]`},
	{"an assignment before let does not fail", "h(); let x = 1; function h() { x = 2 }", "ReferenceError: Cannot access a variable before initialization", `[]`},
}

// TestScripts compares scripts that once were compiled wrongly with the interpreter.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	cases := scriptCases
	if *scriptFile != "" {
		text, err := os.ReadFile(*scriptFile)
		if err != nil {
			t.Fatal(err)
		}
		cases = strings.Split(strings.TrimSpace(string(text)), "\n\n")
	}
	known := map[string]scriptDifference{}
	if *scriptFile == "" {
		for _, d := range scriptDifferences {
			known[d.script] = d
			cases = append(cases, d.script)
		}
	}
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;")
	var subjects []*subject
	for _, script := range cases {
		functions, script, found := strings.Cut(script, "\n---\n")
		if !found {
			functions, script = "", functions
		}
		content := "<script>" + escape.Replace("{ "+script+"\n}") + "</script>"
		if strings.HasPrefix(script, "<") {
			content = script
		}
		chart := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="out" expr="[]"/><data id="num" expr="5"/><data id="str" expr="'text'"/><data id="flag" expr="true"/><data id="nums" expr="[3, 1, 2]"/>
<data id="list" expr="[1, 'a', null, [2], {n: 1}]"/><data id="obj" expr="{n: 1, s: 'x', a: [1, 2], o: {n: 2}}"/><data id="any"/></datamodel>
<script>function t(x) { out.push(x); return x }
` + escape.Replace(functions) + `</script>
<state><transition event="e">` + content + `<log expr="out"/></transition>
<transition event="error"><log expr="_event.data.message"/></transition></state></scxml>`
		subjects = append(subjects, &subject{
			name: script, fsys: fstest.MapFS{"chart.scxml": {Data: []byte(chart)}}, file: "chart.scxml", typed: true, texts: true, high: true,
			stimuli: []twin.Stimulus{{Event: "e", Data: json.RawMessage(`{"n":1,"a":[1,{"n":2}]}`)}},
		})
	}
	sum, differences := compareAll(t, subjects)
	for _, d := range differences {
		if k := known[d.name]; k.script == "" || !holds(d.text, "interpreter", k.interpreter) || !holds(d.text, "compiled", k.compiled) {
			t.Errorf("%s\n%s", d.name, d.text)
		}
		delete(known, d.name)
	}
	for _, d := range known {
		t.Errorf("%s\nis not a difference any more: %s", d.script, d.why)
	}
	t.Log(sum)
	for _, s := range subjects {
		if s.why != "" {
			t.Errorf("%s\n%s", s.name, s.why)
		}
	}
}

// chartCases are charts with which compiled charts once did something else than the interpreter, or that find a mistake which
// others do not, and events for them.
var chartCases = []struct{ name, events, chart string }{
	{"a parallel state without children is not atomic", "a; b; a", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
<state id="s"><parallel id="empty"><transition event="a"/></parallel><state id="full"/><transition event="a" target="full"/></state></scxml>`},
	{"an event that nothing takes is not a microstep", "a; b; a", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="0"/></datamodel>
<state><transition cond="_event.name == 'a'"><assign location="n" expr="n + 1"/></transition></state><state><transition event="a"/></state></scxml>`},
	{"nor is one whose condition fails", "a; b; a", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="0"/><data id="none"/></datamodel>
<state><transition event="a" cond="none.x"/><transition event="error" target="loop"/></state>
<state id="loop"><transition><assign location="n" expr="n + 1"/></transition></state></scxml>`},
	{"a member of data that are missing", `a; a null; a {"m":4}; a {}; a; b; b {"m":4}`, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<state><transition event="a" cond="_event.data?.m !== 4"><log expr="_event.data?.m"/></transition>
<transition event="b" cond="_event.data.m !== 4"/><transition event="error"><log expr="_event.data?.message"/></transition></state></scxml>`},
	{"a sum of texts is read before what changes them", "a", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="s" expr="'s'"/><data id="list" expr="[1]"/></datamodel>
<state><transition event="a"><log expr="(s + s) + (((s += 1), list))"/></transition></state></scxml>`},
	{"x-- is the number before", "a 0.1; a -0.0; a null; a", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n"/></datamodel>
<state><transition event="a"><assign location="n" expr="_event.data"/><log expr="n--"/><log expr="1 / n++"/><log expr="n"/></transition></state></scxml>`},
	{"a cancel of no id", "c", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<state id="a"><transition event="c"><send event="b" delay="20ms"/><cancel sendidexpr="''"/></transition></state></scxml>`},
	{"turns of children, of which one sends what it does not take", "c; c", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<state id="a">
<invoke autoforward="true"><content><scxml version="1.0" datamodel="ecmascript"><state id="s"><onentry><send event="a"/></onentry><transition event="t" target="s"><log expr="1"/></transition></state></scxml></content></invoke>
<invoke autoforward="true"><content><scxml version="1.0" datamodel="ecmascript"><state id="s"><transition event="t"><log expr="2"/></transition></state></scxml></content></invoke>
<transition event="c"><send event="t"/><send event="t"/></transition></state></scxml>`},
	{"an internal event of two regions enters a state that invokes", "e", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="1"/></datamodel>
<parallel>
<state id="r1"><state id="a"><transition event="e"><raise event="i"/></transition><transition event="i" target="b"/></state>
<state id="b"><invoke><content><scxml version="1.0" datamodel="ecmascript"><state id="s"><onentry><log expr="1"/></onentry></state></scxml></content></invoke></state></state>
<state id="r2"><state id="p"><transition event="i" cond="n === 1"><log expr="2"/></transition></state></state>
</parallel></scxml>`},
	{"an event that several regions take, in conflict and with conditions that fail", "e; f; e; f; e; e; f; e; f; e", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="0"/></datamodel>
<state id="s">
<parallel id="p">
<state id="r1"><transition event="e"><log expr="1"/></transition><transition event="error"><log expr="_event.data.message"/></transition>
<state id="a"><transition event="e" cond="n.a.x"/><transition event="e" cond="n &gt; 1" target="out"><log expr="2"/></transition></state></state>
<state id="r2"><transition event="f"><assign location="n" expr="n + 1"/></transition><transition event="e"><log expr="3"/></transition>
<state id="b"><transition event="e" cond="n &gt; 0" target="c"><log expr="4"/></transition></state><state id="c"><transition event="e" target="b"/></state></state>
<state id="r3"><state id="d"><transition event="e" cond="n.b.x.y"/><transition event="e" cond="n &gt; 1" target="out"><log expr="5"/></transition></state></state>
</parallel>
<state id="out"><transition event="e" target="p"/></state></state></scxml>`},
	{"transitions without an event that ask where other regions are", "e; e; f; e; e", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<parallel>
<state id="r1"><state id="a"><transition event="e" target="b"/><transition event="f" target="c"/></state><state id="b"><transition event="e" target="a"/></state><state id="c"><transition event="e" target="a"/></state></state>
<state id="r2"><state id="p"><transition cond="In('c')" target="q"/><transition cond="In('b')" target="q"/></state><state id="q"><transition cond="In('a')" target="p"/></state></state>
<state id="r3"><state id="x"><transition cond="In('c')" target="y"/></state><state id="y"><transition cond="!In('c')" target="x"/></state></state>
</parallel></scxml>`},
}

func TestCharts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	var subjects []*subject
	for _, c := range chartCases {
		s := &subject{name: c.name, fsys: fstest.MapFS{"chart.scxml": {Data: []byte(c.chart)}}, file: "chart.scxml", typed: true}
		for text := range strings.SplitSeq(c.events, "; ") {
			event, data, _ := strings.Cut(text, " ")
			s.stimuli = append(s.stimuli, twin.Stimulus{Event: event, Data: json.RawMessage(data)})
		}
		subjects = append(subjects, s)
	}
	sum, differences := compareAll(t, subjects)
	for _, d := range differences {
		t.Errorf("%s\n%s", d.name, d.text)
	}
	if sum.equal+sum.different != len(subjects) {
		t.Errorf("%d charts are compared, want %d: %v", sum.equal+sum.different, len(subjects), sum)
	}
}

// holds reports whether a difference shows a text on one side.
func holds(difference, side, text string) bool {
	for line := range strings.SplitSeq(difference, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), side) && strings.Contains(line, text) {
			return true
		}
	}
	return false
}
