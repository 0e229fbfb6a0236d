//go:build unix

package ecmascript_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// oddValues are receivers and arguments of functions of the library.
var oddValues = []string{
	"undefined", "null", "true", "NaN", "-0", "-1", "1.5", "3", "1e308", "Infinity", "-Infinity", "2**31", "2**32-1", "2**32", "2**53", "1n", "-2n**64n",
	"''", "'abc'", "'\\ud800'", "'e\\u0301'", "'a'.repeat(999)", "'a,b'", "'$1$&$<x>'", "'2026-01-01'", "'[1,{\"a\":null}]'", "'__proto__'", "'length'",
	"[]", "[1,2,3]", "[,1]", "[[1],[2]]", "['a','b']", "new Array(9)", "Object.freeze([1])", "[3,undefined,NaN,'x',{}]",
	"({})", "({length:3})", "({length:-1})", "({length:'x'})", "({a:1,get b(){return 2}})", "({valueOf(){throw 1}})", "({toString(){return 'x'}})", "({toJSON(){return {}}})",
	"Object.create(null)", "new Proxy({},{})", "new Proxy([],{get:()=>1})", "(function(){return 1})", "(x=>x)", "(()=>{throw new TypeError('t')})", "(class{})", "(function*(){yield 1})()",
	"/a/g", "/(?<x>b)|c/y", "/(?=a)/u", "Symbol('s')", "Symbol.iterator", "new Date(NaN)", "new Date(0)", "new Map([[1,2]])", "new Set([1,2])", "new WeakMap()",
	"new Uint8Array(4)", "new Float64Array([NaN])", "new ArrayBuffer(8)", "new DataView(new ArrayBuffer(8))", "Promise.resolve(1)", "new Error('x',{cause:1})", "[1,2].values()", "globalThis", "_event", "Math", "JSON",
}

// libraryFunctions lists all functions of the library, and those of its prototypes.
const libraryFunctions = `(() => {
	const out = []
	for (const name of Object.getOwnPropertyNames(globalThis)) {
		const v = globalThis[name]
		if (typeof v !== 'function' && (typeof v !== 'object' || v === null) || name === 'globalThis' || name[0] === '_') continue
		if (typeof v === 'function') out.push(name, 'new ' + name)
		for (const [at, o] of [[name, v], [name + '.prototype', v.prototype]]) {
			if (o === undefined || o === null) continue
			for (const key of Reflect.ownKeys(o)) {
				const d = Object.getOwnPropertyDescriptor(o, key)
				const part = typeof key === 'symbol' ? '[' + String(key).slice(7, -1) + ']' : '.' + key
				if (key !== 'constructor' && typeof d.value === 'function') out.push(at + part)
			}
		}
	}
	return out
})()`

// libraryScript makes a script of bytes: calls of functions of the library with odd receivers and
// arguments, each of which may use the result of the one before.
func libraryScript(functions []string, data []byte) string {
	next := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := int(data[0])
		if data = data[1:]; n > 256 && len(data) > 0 {
			b = b<<8 | int(data[0])
			data = data[1:]
		}
		return b % n
	}
	value := func() string {
		if i := next(len(oddValues) + 6); i < len(oddValues) {
			return oddValues[i]
		}
		return "r"
	}
	var b strings.Builder
	b.WriteString("var r;\n")
	for range 4 {
		if len(data) == 0 {
			break
		}
		function := functions[next(len(functions))]
		owner, method, isMethod := strings.Cut(function, ".prototype")
		var args []string
		receiver := value()
		for range next(4) {
			args = append(args, value())
		}
		switch {
		case !isMethod:
			fmt.Fprintf(&b, "try { r = %s(%s) } catch (e) { r = e }\n", function, strings.Join(args, ", "))
		case next(2) == 0:
			fmt.Fprintf(&b, "try { r = (%s)%s(%s) } catch (e) { r = e }\n", receiver, method, strings.Join(args, ", "))
		default:
			fmt.Fprintf(&b, "try { r = %s.prototype%s.call(%s) } catch (e) { r = e }\n", owner, method, strings.Join(append([]string{receiver}, args...), ", "))
		}
	}
	return b.String()
}

// TestLibraryChild is not a test but the process in which FuzzLibrary runs scripts: some of them
// end it, which nothing inside a process can prevent.
func TestLibraryChild(t *testing.T) {
	if os.Getenv("LIBRARY_CHILD") == "" {
		return
	}
	debug.SetMaxStack(64 << 20)
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: 1 << 30, Max: 1 << 30})
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var script string
		if err := json.Unmarshal(in.Bytes(), &script); err != nil {
			t.Fatal(err)
		}
		host := newHost()
		host.limit = 200 * time.Millisecond
		b := newStoreOf(t, host)
		answer := ""
		if err := b.Run(expr(datamodel.Script, script)); err != nil {
			answer = err.Error()
		}
		v, err := b.Value(expr(datamodel.ValueExpr, "r"))
		if err != nil {
			answer += "\n" + err.Error()
		} else {
			answer += "\n" + string(datamodel.AppendJSON(nil, v))
		}
		b.End()
		line, _ := json.Marshal(answer)
		fmt.Printf("%s\n", line)
	}
}

// A libraryChild runs scripts in another process.
type libraryChild struct {
	mu     sync.Mutex
	cmd    *exec.Cmd
	in     io.Writer
	out    *bufio.Reader
	stderr bytes.Buffer
}

// run returns what a script answers, or how it ended the process.
func (c *libraryChild) run(t testing.TB, script string) (answer, end string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cmd == nil {
		c.cmd = exec.Command(os.Args[0], "-test.run=^TestLibraryChild$")
		c.cmd.Env = append(os.Environ(), "LIBRARY_CHILD=1")
		c.stderr.Reset()
		c.cmd.Stderr = &c.stderr
		in, err := c.cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.cmd.StdoutPipe()
		if err == nil {
			err = c.cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		c.in, c.out = in, bufio.NewReader(out)
	}
	line, _ := json.Marshal(script)
	if _, err := fmt.Fprintf(c.in, "%s\n", line); err != nil {
		t.Fatal(err)
	}
	const patience = 5 * time.Second // less than Go's fuzzer has for an input
	kill := time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
	text, err := c.out.ReadBytes('\n')
	killed := !kill.Stop()
	if err == nil {
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return answer, ""
	}
	c.cmd.Wait()
	c.cmd = nil
	switch said := c.stderr.String(); {
	case killed:
		return "", "hang"
	case strings.Contains(said, "stack exceeds"):
		return "", "stack"
	case strings.Contains(said, "out of memory"), strings.Contains(said, "cannot allocate memory"):
		return "", "memory"
	default:
		t.Fatalf("the process has ended:\n%.3000s\nscript:\n%s", said, script)
		return "", ""
	}
}

// leaks are texts of Go in what a script says.
var leaks = regexp.MustCompile(`runtime error|goja|reflect[:.]|interface conversion|\(\*|0xc0|nil pointer|regexp2`)

// printed is a text that goja gives to scripts, which can pass it on as data.
var printed = regexp.MustCompile(`(?s)Could not convert .* to primitive`)

// FuzzLibrary calls functions of the library with odd arguments. A script may overflow the stack,
// use up the memory or hang, which is what a process of its own is for. Nothing else may end the
// process, and no error may be one of Go's.
func FuzzLibrary(f *testing.F) {
	var functions []string
	text := newStore(f).get(libraryFunctions)
	if err := json.Unmarshal([]byte(text), &functions); err != nil || len(functions) < 400 {
		f.Fatalf("%d functions, %v: %.200s", len(functions), err, text)
	}
	// Each function once, on a fitting receiver, and with odd arguments.
	for i := range 300 {
		f.Add([]byte{byte(i >> 8), byte(i * 7), byte(i), 3, byte(i * 11), byte(i * 5), byte(i * 3), 0, byte(i >> 7), byte(i * 13), byte(i * 17), 2, byte(i), byte(i * 19), 1})
	}
	child := new(libraryChild)
	f.Cleanup(func() {
		if child.cmd != nil {
			child.cmd.Process.Kill()
			child.cmd.Wait()
		}
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		script := libraryScript(functions, data)
		answer, end := child.run(t, script)
		if end != "" {
			t.Logf("%s:\n%s", end, script)
			return
		}
		if plain, err := url.PathUnescape(answer); err == nil { // scripts may escape what goja printed
			answer = plain
		}
		if leak := leaks.FindString(printed.ReplaceAllString(answer, "")); leak != "" {
			t.Errorf("%q in the answer %.500s\n%s", leak, answer, script)
		}
	})
}
