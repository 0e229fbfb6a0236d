package metrics

import (
	"bufio"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A family is a metric with all its labels.
type family struct {
	name, help string
	labels     []string
	bounds     []float64 // upper bounds of the buckets of a histogram, ascending; nil for a counter or gauge
	gauge      bool

	mu     sync.Mutex
	series map[string]*series // by their labels as they are written
}

type series struct {
	value   float64  // of a histogram: the sum
	buckets []uint64 // for each bound, and one more
}

// most is the number of series of a family. The labels have few values each, see label.
const most = 10_000

// add adds a value to a counter or gauge, or observes it in a histogram.
func (f *family) add(v float64, values ...string) {
	key := f.render(values)
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.series[key]
	if s == nil {
		if len(f.series) >= most {
			return
		}
		if f.series == nil {
			f.series = map[string]*series{}
		}
		s = &series{}
		if f.bounds != nil {
			s.buckets = make([]uint64, len(f.bounds)+1)
		}
		f.series[key] = s
	}
	s.value += v
	if f.bounds != nil {
		i, _ := slices.BinarySearch(f.bounds, v) // a bound is in its bucket
		s.buckets[i]++
	}
}

var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// render writes labels as they stand between the braces.
func (f *family) render(values []string) string {
	if len(values) == 0 {
		return ""
	}
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(f.labels[i])
		b.WriteString(`="`)
		_, _ = escape.WriteString(&b, strings.ToValidUTF8(v, "\uFFFD")) // a builder has no errors
		b.WriteByte('"')
	}
	return b.String()
}

func (f *family) kind() string {
	switch {
	case f.bounds != nil:
		return "histogram"
	case f.gauge:
		return "gauge"
	}
	return "counter"
}

// write writes the family, unless nothing was added to it.
func (f *family) write(w *bufio.Writer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.series) == 0 {
		return
	}
	w.WriteString("# HELP " + f.name + " " + f.help + "\n# TYPE " + f.name + " " + f.kind() + "\n")
	line := func(suffix, labels, more string, value float64) {
		w.WriteString(f.name + suffix)
		if labels != "" && more != "" {
			labels += ","
		}
		if labels += more; labels != "" {
			w.WriteString("{" + labels + "}")
		}
		w.WriteString(" " + number(value) + "\n")
	}
	for _, key := range slices.SortedFunc(maps.Keys(f.series), cmp.Compare[string]) {
		s := f.series[key]
		if f.bounds == nil {
			line("", key, "", s.value)
			continue
		}
		count := uint64(0)
		for i, bound := range f.bounds {
			count += s.buckets[i]
			line("_bucket", key, `le="`+number(bound)+`"`, float64(count))
		}
		count += s.buckets[len(f.bounds)]
		line("_bucket", key, `le="+Inf"`, float64(count))
		line("_sum", key, "", s.value)
		line("_count", key, "", float64(count))
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A label bounds the values of a label.
type label struct {
	mu   sync.Mutex
	seen map[string]bool
}

const maxValues = 100

// of returns the value, or "other" if there are too many already.
func (l *label) of(value string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.seen[value] {
		if len(l.seen) >= maxValues {
			return "other"
		}
		if l.seen == nil {
			l.seen = map[string]bool{}
		}
		l.seen[value] = true
	}
	return value
}
