package ecmascript_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// show is a function that describes what an expression yields, in the engine and in node.
const show = `function show(text) {
	try { var v = (0, eval)("(" + text + "\n)") } catch (e) { return e.name }
	return Object.is(v, -0) ? "-0" : typeof v === "string" ? "'" + v.replace(/[^ -~]/g, c => "\\u" + c.charCodeAt(0).toString(16)) + "'" : String(v)
}`

// TestDifferences evaluates the examples of differences to ECMAScript in SUPPORTED.md. A difference
// that is not there any more, after an update of goja, has to be taken out.
func TestDifferences(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SUPPORTED.md has the results of amd64")
	}
	text, err := os.ReadFile("../../conformance/SUPPORTED.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| .* \\| `(.*)` \\| `(.*)` \\| `(.*)` \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 30 {
		t.Fatalf("found only %d examples", len(rows))
	}
	var examples, wants []string
	for _, row := range rows {
		example := strings.ReplaceAll(row[1], `\|`, "|")
		examples = append(examples, example)
		b := newStore(t)
		b.run(show)
		here, want := shown(t, b, row[2]), shown(t, b, row[3])
		wants = append(wants, want)
		if got := shown(t, b, example); got != here {
			t.Errorf("%s\n got %s\nwant %s, as SUPPORTED.md says", example, got, here)
		}
		if here == want {
			t.Errorf("%s is not a difference", example)
		}
	}
	t.Run("node", func(t *testing.T) {
		node, err := exec.LookPath("node")
		if err != nil {
			t.Skip("node is not installed: the column ECMAScript is not checked")
		}
		list, _ := json.Marshal(examples)
		out, err := exec.Command(node, "-p", show+";JSON.stringify("+string(list)+".map(show))").Output()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := json.Unmarshal(out, &got); err != nil || len(got) != len(wants) {
			t.Fatal(err, got)
		}
		for i, want := range wants {
			if got[i] != want {
				t.Errorf("%s\nnode has %s\nwant %s, as SUPPORTED.md says", examples[i], got[i], want)
			}
		}
	})
}

// shown returns what a cell of the table stands for: the value of an expression, or the name of an
// error.
func shown(t *testing.T, b *bench, cell string) string {
	if strings.HasSuffix(cell, "Error") || cell == "internal error" {
		return cell
	}
	quoted, _ := json.Marshal(cell)
	v, err := b.Value(expr(datamodel.ValueExpr, "show("+string(quoted)+")"))
	if err != nil {
		if strings.Contains(err.Error(), "internal error") {
			return "internal error"
		}
		t.Fatal(err)
	}
	return v.(string)
}

// Calls that goja gets wrong and package guard makes right.
func TestMendedFunctions(t *testing.T) {
	for text, want := range map[string]string{
		"Math.sign(undefined)": "NaN", "Math.sign()": "NaN", "Math.sign('-3')": "-1", "Math.sign('0')": "0", "Math.sign(false)": "0", "Math.sign(true)": "1",
		"Math.sign({valueOf() { return -0 }})": "-0", "Math.sign(1n)": "TypeError", "Math.sign.length": "1",
		"'ΑΣ'.replaceAll('', '-')": `'-\u391-\u3a3-'`, "'é'.replaceAll([], '$&$1')": `'$1\ue9$1'`, "'éa'.replaceAll('', (s, i) => i)": `'0\ue91a2'`, "'aéa'.replaceAll('a', '$&b')": `'ab\ue9ab'`,
		"'é'.replaceAll()": `'\ue9'`, "'aéa'.replaceAll(/a/g, 'b')": `'b\ue9b'`, "'a'.replaceAll(/a/, 'b')": "TypeError", "'a'.replaceAll(Symbol(), 'b')": "TypeError",
		"String.prototype.replaceAll.call(null, '', '')": "TypeError", "new Date(-1).setMilliseconds(0)": "-1000", "new Date(-1500).setUTCMilliseconds(-1)": "-2001",
		"new Date(-1500).setMilliseconds(2.7)": "-1998", "new Date(-1000).setMilliseconds(5)": "-995", "new Date(1500).setMilliseconds('5')": "1005", "new Date(-1).setMilliseconds()": "NaN",
		"(-9.96).toPrecision(2)": "'-10'", "(-99.6).toPrecision(2)": "'-1.0e+2'", "(-0.0996).toExponential(1)": "'-1.0e-1'", "(-9.96).toPrecision()": "'-9.96'", "(-Infinity).toPrecision(2)": "'-Infinity'",
		"(-0).toPrecision(2)": "'0.0'", "(9.96).toPrecision(2)": "'10'", "NaN.toExponential(1)": "'NaN'", "(-1).toPrecision(101)": "RangeError", "new Number(-9.96).toPrecision(2)": "'-10'",
		"Number.prototype.toPrecision.call({valueOf() { return -1 }})": "TypeError", "Number.prototype.toPrecision.call('-1')": "TypeError",
		"new Date(NaN).setMilliseconds(1)": "NaN", "Date.prototype.setMilliseconds.call({}, 1)": "TypeError",
	} {
		b := newStore(t)
		b.run("Math.sign; 1..toPrecision; 1..toExponential; ''.replaceAll; Date.prototype.setMilliseconds; Date.prototype.setUTCMilliseconds;" + show)
		if got := shown(t, b, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
