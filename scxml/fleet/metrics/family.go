package metrics

import (
	"bufio"
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
	series map[values]*series
}

// values are those of the labels of a series, as many as the family has labels.
type values [3]string

type series struct {
	value   float64  // of a histogram: the sum
	buckets []uint64 // for each bound, and one more
}

// most is the number of series of a family. The labels have few values each, see label.
const most = 10_000

// add adds a value to a counter or gauge, or observes it in a histogram.
func (f *family) add(v float64, labels ...string) {
	var key values
	copy(key[:], labels)
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.series[key]
	if s == nil {
		if len(f.series) >= most {
			return
		}
		if f.series == nil {
			f.series = map[values]*series{}
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
func (f *family) render(v values) string {
	var all []string
	for i, name := range f.labels {
		all = append(all, name+`="`+escape.Replace(v[i])+`"`)
	}
	return strings.Join(all, ",")
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
	rendered := make(map[string]*series, len(f.series))
	for v, s := range f.series {
		rendered[f.render(v)] = s
	}
	for _, key := range slices.Sorted(maps.Keys(rendered)) {
		s := rendered[key]
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
	seen map[string]string // values to what stands for them: UTF-8
}

const maxValues = 100

// of returns the value as UTF-8, or "other" if there are too many already.
func (l *label) of(value string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	valid, ok := l.seen[value]
	if !ok {
		if len(l.seen) >= maxValues {
			return "other"
		}
		if l.seen == nil {
			l.seen = map[string]string{}
		}
		valid = strings.ToValidUTF8(value, "\uFFFD")
		l.seen[strings.Clone(value)] = valid
	}
	return valid
}
