package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A Fit compares ratings with those of a list.
type Fit struct{ pairs []pair }

// A pair is a rating of the list and one of ours.
type pair struct{ listed, rated human.Rating }

// Add adds a puzzle.
func (f *Fit) Add(listed, rated human.Rating) { f.pairs = append(f.pairs, pair{listed, rated}) }

// Len returns the number of puzzles.
func (f *Fit) Len() int { return len(f.pairs) }

// A FitRow sums up the puzzles whose listed ratings are in a band.
type FitRow struct {
	Band    string  `json:"band"` // such as "4.0-4.9", or "all"
	Puzzles int     `json:"puzzles"`
	Exact   int     `json:"exact"`
	Within  int     `json:"within"` // at most 0.2 away
	Mean    float64 `json:"mean"`   // of the differences, ours less the listed one
	Largest float64 `json:"largest"`
}

// Rows returns a row for each band of one point that has puzzles, and one for all.
func (f *Fit) Rows() (rows []FitRow) {
	bands := map[human.Rating][]pair{}
	for _, p := range f.pairs {
		bands[p.listed/10] = append(bands[p.listed/10], p)
	}
	var points []human.Rating
	for point := range bands {
		points = append(points, point)
	}
	slices.Sort(points)
	for _, point := range points {
		rows = append(rows, rowOf(fmt.Sprintf("%d.0-%d.9", point, point), bands[point]))
	}
	return append(rows, rowOf("all", f.pairs))
}

func rowOf(band string, pairs []pair) FitRow {
	r := FitRow{Band: band, Puzzles: len(pairs)}
	for _, p := range pairs {
		difference := p.rated - p.listed
		if difference == 0 {
			r.Exact++
		}
		if difference >= -2 && difference <= 2 {
			r.Within++
		}
		r.Mean += float64(difference) / 10 / float64(len(pairs))
		if d := float64(difference) / 10; math.Abs(d) > math.Abs(r.Largest) {
			r.Largest = d
		}
	}
	return r
}

// Correlation returns the correlation of the ranks (Spearman's), 0 if all ratings of the
// list or all of ours are the same.
func (f *Fit) Correlation() float64 {
	var listed, rated []human.Rating
	for _, p := range f.pairs {
		listed, rated = append(listed, p.listed), append(rated, p.rated)
	}
	return correlation(ranks(listed), ranks(rated))
}

// correlation returns the correlation of two lists, 0 if one of them is constant.
func correlation(x, y []float64) float64 {
	var sx, sy, xx, yy, xy float64
	n := float64(len(x))
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		xx, yy, xy = xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	vx, vy := xx-sx*sx/n, yy-sy*sy/n
	if !(vx > 0 && vy > 0) {
		return 0
	}
	return (xy - sx*sy/n) / math.Sqrt(vx*vy)
}

// ranks returns the rank of each rating; equal ones share the mean of theirs.
func ranks(ratings []human.Rating) []float64 {
	order := make([]int, len(ratings))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(ratings[i], ratings[j]) })
	ranks := make([]float64, len(ratings))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && ratings[order[j]] == ratings[order[i]] {
			j++
		}
		for mean := float64(i+j) / 2; i < j; i++ {
			ranks[order[i]] = mean
		}
	}
	return ranks
}

// String returns the rows as a table, and the correlation.
func (f *Fit) String() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "ER of the list\tpuzzles\texact\twithin 0.2\tmean difference\tlargest\t")
	for _, r := range f.Rows() {
		percent := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(r.Puzzles, 1))) }
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%+.2f\t%+.1f\t\n", r.Band, r.Puzzles, percent(r.Exact), percent(r.Within), r.Mean, r.Largest)
	}
	table.Flush() // a strings.Builder does not fail
	fmt.Fprintf(&b, "\nRank correlation: %.4f\n", f.Correlation())
	return b.String()
}

// Sizes of the plot.
const (
	plotSize   = 600.0
	plotMargin = 60.0
)

// SVG returns a plot of the ratings: those of the list to the right, ours upwards. The
// area of a mark is the number of its puzzles; circles are exact, rhombs are not. The
// plot is light or dark as the reader's system is.
func (f *Fit) SVG() string {
	counts := map[pair]int{}
	low, high := human.Rating(math.MaxInt), human.Rating(0)
	for _, p := range f.pairs {
		counts[p]++
		low, high = min(low, p.listed/10, p.rated/10), max(high, p.listed/10+1, p.rated/10+1)
	}
	if len(f.pairs) == 0 {
		low, high = 1, 2
	}
	scale := (plotSize - plotMargin - 20) / float64(10*(high-low))
	x := func(r human.Rating) float64 { return plotMargin + float64(r-10*low)*scale }
	y := func(r human.Rating) float64 { return plotSize - plotMargin - float64(r-10*low)*scale }
	all, correlation := rowOf("all", f.pairs), f.Correlation()
	puzzles := "1 puzzle"
	if all.Puzzles != 1 {
		puzzles = fmt.Sprintf("%d puzzles", all.Puzzles)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" font-family="sans-serif" font-size="14" role="img">
<title>Ratings of %s, %d exact, rank correlation %.4f</title>
<style>
.paper { fill: #fff } text { fill: #1a1a1a } .grid { stroke: #ddd } .same { stroke: #888; stroke-dasharray: 4 }
.exact { fill: #005fa3; fill-opacity: .65 } .other { fill: #c42b00; fill-opacity: .75 }
@media (prefers-color-scheme: dark) {
.paper { fill: #16181d } text { fill: #ececec } .grid { stroke: #3a3c40 } .same { stroke: #999 }
.exact { fill: #6db8f0 } .other { fill: #ff7a55 }
}
</style>
<rect class="paper" width="%[1]v" height="%[2]v"/>
`, plotSize, plotSize, puzzles, all.Exact, correlation)
	first, last := 10*low, 10*high
	for r := first; r <= last; r += 10 {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %.1fV%.1fM%.1f %.1fH%.1f"/>`+"\n", x(r), y(first), y(last), x(first), y(r), x(last))
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">%d</text><text x="%.1f" y="%.1f" text-anchor="end">%d</text>`+"\n", x(r), y(first)+20, r/10, x(first)-8, y(r)+5, r/10)
	}
	fmt.Fprintf(&b, `<path class="same" d="M%.1f %.1fL%.1f %.1f"/>`+"\n", x(first), y(first), x(last), y(last))
	var pairs []pair
	for p := range counts {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.listed, b.listed), cmp.Compare(a.rated, b.rated)) })
	for _, p := range pairs {
		size := 2 + math.Sqrt(float64(counts[p]))
		text := fmt.Sprintf("<title>%v in the list, rated %v: %d</title>", p.listed, p.rated, counts[p])
		if p.listed == p.rated {
			fmt.Fprintf(&b, `<circle class="exact" cx="%.1f" cy="%.1f" r="%.1f">%s</circle>`+"\n", x(p.listed), y(p.rated), size, text)
		} else {
			fmt.Fprintf(&b, `<path class="other" d="M%.1f %.1fl%.1[3]f %.1[3]fl-%.1[3]f %.1[3]fl-%.1[3]f-%.1[3]fz">%s</path>`+"\n", x(p.listed), y(p.rated)-size, size, text)
		}
	}
	middle := (x(first) + x(last)) / 2
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">ER of the list</text>`+"\n", middle, plotSize-15)
	fmt.Fprintf(&b, `<text transform="translate(20 %.1f) rotate(-90)" text-anchor="middle">ER of this program</text>`+"\n", (y(first)+y(last))/2)
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f">%s, %d exact, rank correlation %.4f</text>`+"\n", x(first)+10, y(last)+20, puzzles, all.Exact, correlation)
	b.WriteString("</svg>\n")
	return b.String()
}
