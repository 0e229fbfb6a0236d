package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func parse(t *testing.T, source string) datamodel.Value {
	t.Helper()
	v, err := datamodel.ParseJSON([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A value that does not fit is shown as an outline.
func TestBrief(t *testing.T) {
	grid := "[" + strings.TrimSuffix(strings.Repeat("[0,0,0,0,0,0,0,0,0],", 9), ",") + "]"
	for source, want := range map[string]string{
		`"5"`:                  `"5"`,
		`{"a":1}`:              `{"a":1}`,
		grid:                   `[… 9 items]`,
		`[` + grid + `]`:       `[… 1 item]`,
		`{"now":` + grid + `}`: `{"now":[… 9 items]}`,
		`{"$undefined":true}`:  `undefined`,
		`{"one":1,"two":2,"three":3,"four":4,"five":5}`: `{… 5 fields}`,
		`"` + strings.Repeat("é", 60) + `"`:             `"` + strings.Repeat("é", 39) + "… (62 characters)",
	} {
		if got := Brief(parse(t, source), 40); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

// Of a large value only the changed parts are shown.
func TestDifferences(t *testing.T) {
	large := `"` + strings.Repeat("x", 30) + `"`
	for _, test := range []struct {
		was, now string
		want     []string
	}{
		{`0`, `1`, []string{"x: 0 → 1"}},
		{`0`, `0`, nil},
		{`{"$undefined":true}`, `"a"`, []string{`x: undefined → "a"`}},
		{`[1,2]`, `[1,2,3]`, []string{"x: [1,2] → [1,2,3]"}},
		{`[` + large + `]`, `[` + large + `,3]`, []string{"x[1]: undefined → 3"}},
		{`{"a":` + large + `,"b":1,"c d":[2]}`, `{"a":` + large + `,"b":2,"e":3}`, []string{"x.b: 1 → 2", `x["c d"]: [2] → undefined`, "x.e: undefined → 3"}},
		{`[` + large + `,0,0,0,0,0]`, `[` + large + `,1,1,1,1,1]`, []string{"x: 5 values changed; to see them: data x"}},
		{`[` + large + `]`, `[` + large + `,{"$undefined":true}]`, []string{"x: [… 1 item] → [… 2 items]"}},
	} {
		if got := Differences("x", parse(t, test.was), parse(t, test.now), 60); !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: got %q, want %q", test.was, test.now, got, test.want)
		}
	}
}
