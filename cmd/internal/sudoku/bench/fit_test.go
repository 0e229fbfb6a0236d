package bench

import (
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A list with three exact ratings of five, one a tenth off and one far off.
func exampleFit() *Fit {
	f := &Fit{}
	f.Add(12, 12)
	f.Add(12, 12)
	f.Add(26, 26)
	f.Add(45, 44)
	f.Add(48, 66)
	return f
}

func TestFitRows(t *testing.T) {
	rows := exampleFit().Rows()
	want := []FitRow{
		{"1.0-1.9", 2, 2, 2, 0, 0},
		{"2.0-2.9", 1, 1, 1, 0, 0},
		{"4.0-4.9", 2, 0, 1, 0.85, 1.8},
		{"all", 5, 3, 4, 0.34, 1.8},
	}
	if len(rows) != len(want) {
		t.Fatalf("got %+v", rows)
	}
	for i, r := range rows {
		if math.Abs(r.Mean-want[i].Mean) > 1e-9 {
			t.Errorf("%s: the mean is %v, want %v", r.Band, r.Mean, want[i].Mean)
		}
		if r.Mean = want[i].Mean; r != want[i] {
			t.Errorf("got %+v, want %+v", r, want[i])
		}
	}
}

// Ranks decide, not differences; equal ratings share a rank.
func TestFitCorrelation(t *testing.T) {
	if got := exampleFit().Correlation(); math.Abs(got-1) > 1e-9 {
		t.Errorf("the same order: got %v, want 1", got)
	}
	var f Fit
	for _, p := range [][2]int{{10, 30}, {20, 10}, {20, 20}, {30, 40}} {
		f.Add(human.Rating(p[0]), human.Rating(p[1]))
	}
	// The ranks are 1 2.5 2.5 4 and 3 1 2 4.
	if got := f.Correlation(); math.Abs(got-0.316227766) > 1e-6 {
		t.Errorf("got %v, want 0.3162", got)
	}
	var same Fit
	same.Add(12, 12)
	same.Add(12, 15)
	if got := same.Correlation(); got != 0 {
		t.Errorf("a constant list: got %v, want 0", got)
	}
}

func TestFitSVG(t *testing.T) {
	var svg struct {
		Title   string `xml:"title"`
		Circles []struct {
			Class string `xml:"class,attr"`
			Title string `xml:"title"`
		} `xml:"circle"`
		Paths []struct {
			Class string `xml:"class,attr"`
			D     string `xml:"d,attr"`
		} `xml:"path"`
	}
	text := exampleFit().SVG()
	if err := xml.Unmarshal([]byte(text), &svg); err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, p := range svg.Paths {
		if p.Class == "other" {
			others++
		}
		if strings.Contains(p.D, "%!") {
			t.Errorf("a path is %q", p.D)
		}
	}
	if svg.Title != "Ratings of 5 puzzles, 3 exact, rank correlation 1.0000" || len(svg.Circles) != 2 || others != 2 || svg.Circles[0].Title != "1.2 in the list, rated 1.2: 2" {
		t.Errorf("got %+v", svg)
	}
	if empty := new(Fit).SVG(); strings.Contains(empty, "NaN") || strings.Contains(empty, "Inf") {
		t.Error("the plot of no puzzles has numbers that are not")
	}
}
