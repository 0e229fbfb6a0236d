package datamodel_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestJSON(t *testing.T) {
	for _, tt := range []struct {
		v    datamodel.Value
		json string
		text string // "" where it is the same
	}{
		{nil, `{"$undefined":true}`, "undefined"},
		{datamodel.Null, "null", ""},
		{true, "true", ""},
		{int64(-12), "-12", ""},
		{0.1, "0.1", ""},
		{1e21, "1e+21", ""},
		{1e-7, "1e-7", ""},
		{123456789012345680000.0, "123456789012345680000", ""},
		{math.NaN(), `{"$number":"NaN"}`, "NaN"},
		{math.Inf(1), `{"$number":"Infinity"}`, "Infinity"},
		{math.Inf(-1), `{"$number":"-Infinity"}`, "-Infinity"},
		{math.Copysign(0, -1), `{"$number":"-0"}`, "-0"},
		{"a\"b\\\n\t\x01<>&\u2028é😀", `"a\"b\\\n\t\u0001<>&\u2028é😀"`, "a\"b\\\n\t\x01<>&\u2028é😀"},
		{big.NewInt(12), `{"$bigint":"12"}`, "12n"},
		{time.UnixMilli(1).UTC(), `{"$date":"1970-01-01T00:00:00.001Z"}`, "1970-01-01T00:00:00.001Z"},
		{time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC), `{"$date":"-000044-03-15T00:00:00Z"}`, "-000044-03-15T00:00:00Z"},
		{time.Date(12026, 2, 28, 0, 0, 0, 0, time.UTC), `{"$date":"+012026-02-28T00:00:00Z"}`, "+012026-02-28T00:00:00Z"},
		{&datamodel.Node{Local: "a", Children: []*datamodel.Node{{Type: datamodel.TextNode, Text: "<"}}}, `{"$xml":"<a>&lt;</a>"}`, "<a>&lt;</a>"},
		{datamodel.Function("f"), `{"$function":"f"}`, "function f()"},
		{[]datamodel.Value{}, "[]", ""},
		{[]datamodel.Value{int64(1), nil, "x"}, `[1,{"$undefined":true},"x"]`, `[1,undefined,"x"]`},
		{datamodel.NewObject(), "{}", ""},
		{datamodel.NewObject("z", int64(1), "$a", nil, "$$", "d"), `{"z":1,"$$a":{"$undefined":true},"$$$":"d"}`, `{"z":1,"$a":undefined,"$$":"d"}`},
	} {
		got := string(datamodel.AppendJSON([]byte("> "), tt.v))
		if got != "> "+tt.json {
			t.Errorf("AppendJSON\n got %s\nwant > %s", got, tt.json)
		}
		back, err := datamodel.ParseJSON([]byte(tt.json))
		if err != nil || !datamodel.Equal(back, tt.v) {
			t.Errorf("ParseJSON(%s)\n got %#v, %v\nwant %#v", tt.json, back, err, tt.v)
		}
		want := tt.text
		if want == "" {
			want = tt.json
		}
		if got := datamodel.Text(tt.v); got != want {
			t.Errorf("Text\n got %s\nwant %s", got, want)
		}
		object := datamodel.NewObject("v", tt.v)
		marshalled, err := json.Marshal(map[string]any{"data": object})
		var read struct{ Data datamodel.Object }
		if err == nil {
			err = json.Unmarshal(marshalled, &read)
		}
		if err != nil || !datamodel.Equal(&read.Data, object) {
			t.Errorf("json.Marshal(%s)\n got %s, %v", tt.json, marshalled, err)
		}
	}
	if got, err := json.Marshal([]any{datamodel.Null, datamodel.Function("f"), &datamodel.Node{Local: "a"}, (*datamodel.Object)(nil)}); err != nil || string(got) != `[null,{"$function":"f"},{"$xml":"\u003ca/\u003e"},null]` {
		t.Errorf("json.Marshal: %s, %v", got, err)
	}
	for text, want := range map[string]string{`[1]`: "want an object, not [1]", `{"$date":"x"}`: "date", `null`: ""} {
		err := json.Unmarshal([]byte(text), new(datamodel.Object))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("json.Unmarshal(%s): %v, want %q", text, err, want)
		}
	}
}

// A BigInt may have MaxBigInt bits, wherever it comes from: to read a longer
// one takes quadratic time.
func TestBigIntIsBounded(t *testing.T) {
	largest := new(big.Int).Lsh(big.NewInt(1), datamodel.MaxBigInt)
	largest.Neg(largest.Sub(largest, big.NewInt(1)))
	v, err := datamodel.From([]any{largest})
	if err != nil {
		t.Fatal(err)
	}
	if back, err := datamodel.ParseJSON(datamodel.AppendJSON(nil, v)); err != nil || !datamodel.Equal(back, v) {
		t.Errorf("the largest BigInt is not read back: %v", err)
	}
	larger := new(big.Int).Sub(largest, big.NewInt(1))
	for _, v := range []any{map[string]any{"a": []any{1, larger}}, struct{ A []big.Int }{[]big.Int{{}, *larger}}} {
		if _, err := datamodel.From(v); err == nil || !strings.HasSuffix(strings.ToLower(err.Error()), "at a[1]: a bigint has more than 262144 bits") {
			t.Errorf("From: got %v", err)
		}
	}
	for _, text := range []string{larger.String(), strings.Repeat("9", 50_000_000)} {
		_, err := datamodel.ParseJSON([]byte(`{"a":[1,` + "\n" + `{"$bigint":"` + text + `"}]}`))
		var e *datamodel.JSONError
		if !errors.As(err, &e) || e.Error() != "2:2: $bigint has more than 262144 bits" {
			t.Errorf("%d digits: got %v", len(text), err)
		}
	}
}

// What would move the cursor of a terminal, split a line or turn the direction
// of writing around is escaped, in values and in keys, and nothing else that is
// not ASCII.
func TestJSONEscapesWhatControlsTerminals(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := "a" + string(r) + "b"
		v := datamodel.NewObject(s, s)
		text := string(datamodel.AppendJSON(nil, v))
		escaped := r < utf8.RuneSelf || datamodel.Visible(s, nil) != s
		if escaped && strings.ContainsRune(text, r) && !unicode.IsPrint(r) {
			t.Errorf("%U is not escaped: %q", r, text)
		}
		if !escaped && strings.Count(text, string(r)) != 2 {
			t.Errorf("%U is escaped: %q", r, text)
		}
		if back, err := datamodel.ParseJSON([]byte(text)); err != nil || !datamodel.Equal(back, v) {
			t.Errorf("%U: %q is read as %v, %v", r, text, back, err)
		}
		if inner := datamodel.Text(v); inner != text {
			t.Errorf("%U: Text writes %q, AppendJSON %q", r, inner, text)
		}
	}
}

func TestParseJSON(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{" {\"b\" : 1 ,\r\n\"a\":[ ] } ", `{"b":1,"a":[]}`},
		{`{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"1.0", "1"}, {"-0", `{"$number":"-0"}`}, {"1E2", "100"}, {"1e999", `{"$number":"Infinity"}`},
		{"9007199254740993", "9007199254740992"}, {"12345678901234567890", "12345678901234567000"},
		{`"\ud83d\ude00\ud83d\u0041\/\b"`, `"😀` + "\uFFFD" + `A/\u0008"`},
		{"\"a\xffb\"", "\"a\uFFFDb\""},
		{`{"$$undefined":true}`, `{"$$undefined":true}`},
	} {
		v, err := datamodel.ParseJSON([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if got := string(datamodel.AppendJSON(nil, v)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
	v, err := datamodel.ParsePlainJSON(`{"$undefined":true,"$$a":1}`)
	if got := datamodel.Text(v); err != nil || got != `{"$undefined":true,"$$a":1}` {
		t.Errorf("plain: got %s, %v", got, err)
	}
}

func TestParseJSONErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", "1:1: unexpected end of text, a value was expected"},
		{"[1,]", "1:4: unexpected ']', a value was expected"},
		{"[1 2]", `1:4: unexpected '2', "," or "]" was expected`},
		{"{\n \"a\" 1}", `2:6: unexpected '1', ":" was expected`},
		{"{a:1}", "1:2: unexpected 'a', a key in quotes was expected"},
		{`{"a":1`, `1:7: unexpected end of text, "," or "}" was expected`},
		{"nul", "1:1: unexpected 'n', a value was expected"},
		{"01", "1:1: a number must not begin with 0"},
		{"-", "1:2: unexpected end of text, a digit was expected"},
		{"1.", "1:3: unexpected end of text, a digit was expected"},
		{"1e+", "1:4: unexpected end of text, a digit was expected"},
		{`"é`, "1:1: string without end"},
		{"\"é\n\"", "1:3: control character 0x0a in a string"},
		{`"\x"`, "1:2: unknown escape in a string"},
		{`"\u12g4"`, `1:2: \u must be followed by four hexadecimal digits`},
		{"1 1", "1:3: unexpected '1' after the value"},
		{`{"$undefined":1}`, "1:2: $undefined must be true"},
		{`{"$number":"1"}`, `1:2: $number must be "NaN", "Infinity", "-Infinity" or "-0"`},
		{`{"$date":"x"}`, "1:2: $date must be a date of RFC 3339"},
		{`{"$bigint":1}`, "1:2: $bigint must be an integer in quotes"},
		{`{"$xml":"<a>"}`, "1:2: $xml: element \"a\" is not closed"},
		{`{"$function":1}`, "1:2: $function must be a string"},
		{`{"$ref":1}`, `1:2: unknown key "$ref" (a key that begins with $ is written with one more $)`},
		{`{"a":1,"$undefined":true}`, `1:8: an object with the key "$undefined" must have no other`},
		{strings.Repeat("[", 600), "1:502: nested deeper than 500 levels"},
	} {
		_, err := datamodel.ParseJSON([]byte(tt.in))
		var e *datamodel.JSONError
		if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), tt.want) {
			t.Errorf("%.40s\n got %v\nwant %s", tt.in, err, tt.want)
		}
	}
}

// What ParseJSON drops or replaces, ParseStrictJSON and CheckJSON refuse. The rest they read alike.
func TestStrictJSON(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a":1,"b":{"c":1,` + "\n" + ` "\u0063":2}}`, `2:2: the key "c" is there twice`},
		{`{"a":"b` + "\xff" + `"}`, "1:6: a string is not UTF-8"},
		{`{"` + "\xff" + `":1}`, "1:2: a string is not UTF-8"},
		{`{"\ud83d":1}`, `1:2: half of a surrogate pair in a string: want two escapes, such as \ud83d\ude00`},
		{`["a\ude00b"]`, `1:2: half of a surrogate pair in a string: want two escapes, such as \ud83d\ude00`},
		{`[1,-1e400]`, "1:4: the number -1e400 is too large: want at most 1.7976931348623157e308"},
		{`{"a":1,}`, "1:8: unexpected '}', a key in quotes was expected"},
		{`{"a":[{"b":1},{"b":1.7976931348623157e308}],"\ud83d\ude00":"é"}`, ""},
	} {
		v, err := datamodel.ParseStrictJSON([]byte(tt.in))
		plain := datamodel.CheckJSON([]byte(tt.in))
		if tt.want == "" {
			same, _ := datamodel.ParseJSON([]byte(tt.in))
			if err != nil || plain != nil || !datamodel.Equal(v, same) {
				t.Errorf("%s\n got %v, %v, %v", tt.in, datamodel.Text(v), err, plain)
			}
			continue
		}
		if err == nil || err.Error() != tt.want || plain == nil || plain.Error() != tt.want {
			t.Errorf("%s\n got %v\n and %v\nwant %s", tt.in, err, plain, tt.want)
		}
	}
	if err := datamodel.CheckJSON([]byte(`{"$count":1}`)); err != nil {
		t.Error(err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true]}`, `{"$undefined":true}`, `{"$$a":{"$number":"-0"}}`, `"\ud83d"`,
		`{"$date":"2020-01-01T00:00:00.5+01:00"}`, `{"$date":"-000001-12-31T23:59:59Z"}`, `{"$xml":"<a:b xmlns:a='u' x='&#9;'>]]&gt;<!-- - --></a:b>"}`, `{"$bigint":"-1"}`, `1e-400`, "{\"\xff\":1,\"\xfe\":2}", `1e400`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := datamodel.ParseJSON(data)
		if err != nil {
			return
		}
		out := datamodel.AppendJSON(nil, v)
		if !utf8.Valid(out) || strings.ContainsAny(string(out), "\n\r\u2028\u2029") {
			t.Fatalf("%q: not a line of UTF-8: %q", data, out)
		}
		back, err := datamodel.ParseStrictJSON(out)
		if err != nil {
			t.Fatalf("%q: cannot read %q: %v", data, out, err)
		}
		if again := datamodel.AppendJSON(nil, back); string(again) != string(out) {
			t.Errorf("%q: %q becomes %q", data, out, again)
		}
	})
}
