package machine

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Codec writes the state of a machine that rests as bytes, for all states the same number of them, and puts such a
// state back: for searches, which visit millions of states. States are equal if, and only if, their bytes are. It
// belongs to the goroutine of its machine.
//
// Each register takes as many bits as its part of the chart has states, and each data item those of a number by which
// [Atoms] knows its value. Objects and arrays, which can have parts in common, have one number together.
type Codec struct {
	// Delayed is the number by which the caller knows the delayed events that are pending: a part of the state, which
	// Load sets and Append writes, if NewCodec was told so.
	Delayed uint32

	node      Node
	core      *Core
	chart     *Chart
	regs      []uint16
	atoms     *Atoms
	end       slot // of the final state of a machine that has ended
	registers []register
	numbers   []numberField
	fields    []field    // other variables that have scalars only
	data      []Variable // the others
	objects   slot       // of what these have
	delayed   slot       // of Delayed, if delays is set
	delays    bool
	words     []uint64 // of the present state
	size      int      // in bytes

	loaded struct { // by Load; what has not changed since then is not written again
		words   []uint64
		end     uint16
		regs    []uint16
		numbers []float64
		fields  []uint32
		objects uint32
		delayed uint32
	}
	present uint32 // the number of what data has, if known is set
	known   bool
	text    []byte

	// What was known of the atoms when they were asked last.
	byBits map[uint64]uint32
	texts  map[string]uint32
	graph  map[string]uint32
	values []js.Value
	graphs []string
}

// A slot is a place in a state: some bits of a word.
type slot struct {
	word, shift int
	mask        uint64
}

func (s *slot) take(words []uint64) uint32 { return uint32(words[s.word] >> s.shift & s.mask) }

// change changes what words have from one value to another.
func (s *slot) change(words []uint64, from, to uint32) { words[s.word] ^= uint64(from^to) << s.shift }

// A register has the number of a state from base on, or 0.
type register struct {
	slot
	base uint16
}

func (r *register) code(state uint16) uint32 {
	if state == 0 {
		return 0
	}
	return uint32(state - r.base + 1)
}

// A numberField is where a variable is that is a number.
type numberField struct {
	slot
	at *float64
}

// A field is where another variable is.
type field struct {
	slot
	text  *string
	truth *bool
	value *js.Value
}

// Atoms number the values that data items have in the states of one search. Several goroutines may share them.
type Atoms struct {
	bits   int // of a number
	mu     sync.RWMutex
	scalar map[atom]uint32
	values []js.Value
	graph  map[string]uint32
	graphs []string
}

// An atom is a scalar.
type atom struct {
	typ  js.Type
	bits uint64
	text string
}

// These scalars are the first ones, and before them are small integers, which are their own numbers.
const (
	undefinedAtom = smallIntegers + iota
	undeclaredAtom
	nullAtom
	falseAtom
	trueAtom

	smallIntegers = 128
)

// ErrAtoms says that there are more values than numbers for them: a search must begin again with more bits.
var ErrAtoms = errors.New("there are more values than numbers for them")

// NewAtoms returns atoms whose numbers have 8, 16 or 32 bits.
func NewAtoms(bits int) *Atoms {
	return &Atoms{
		bits: bits, scalar: map[atom]uint32{}, graph: map[string]uint32{},
		values: []js.Value{{}, js.Undeclared(), js.NullValue(), js.Bool(false), js.Bool(true)},
	}
}

// NewCodec returns the codec of a machine. With delays, its states have Delayed. The error says what of it cannot be
// written.
func NewCodec(n Node, atoms *Atoms, delays bool) (*Codec, error) {
	core, chart, regs := n.Machine()
	c := &Codec{
		node: n, core: core, chart: chart, regs: regs, atoms: atoms,
		byBits: map[uint64]uint32{}, texts: map[string]uint32{}, graph: map[string]uint32{}, delays: delays,
	}
	used := 0 // bits
	next := func(n int) slot {
		if used%64+n > 64 {
			used += 64 - used%64
		}
		used += n
		return slot{(used - 1) / 64, (used - n) % 64, 1<<n - 1}
	}
	states := bits.Len(uint(len(chart.IDs)))
	c.end = next(states)
	for i := range regs {
		r, n := register{base: 1}, states // of a history
		if i < chart.parts() {
			if r.base = 0; chart.Parts != nil {
				r.base = chart.Parts[i]
			}
			n = bits.Len(uint(chart.Last[r.base] - r.base + 1))
		}
		r.slot = next(n)
		c.registers = append(c.registers, r)
	}
	if _, ok := n.(Storing); ok {
		return nil, errors.New("its data are in a data model")
	}
	if n, ok := n.(Typed); ok {
		for _, v := range n.Variables() {
			f, n := field{}, atoms.bits
			switch p := v.Field.(type) {
			case nil:
				continue
			case *float64:
				c.numbers = append(c.numbers, numberField{next(n), p})
				continue
			case *string:
				f.text = p
			case *bool:
				f.truth, n = p, 1
			case *js.Value:
				if f.value = p; v.Types&(1<<js.TypeObject|1<<arrayBit) != 0 {
					c.data = append(c.data, v)
					continue
				}
			}
			f.slot = next(n)
			c.fields = append(c.fields, f)
		}
	}
	if c.data != nil {
		c.objects = next(32)
	}
	if delays {
		c.delayed = next(32)
	}
	c.words = make([]uint64, (used+63)/64)
	c.size = (used + 7) / 8
	c.loaded.words, c.loaded.regs = make([]uint64, len(c.words)), make([]uint16, len(regs))
	c.loaded.numbers, c.loaded.fields = make([]float64, len(c.numbers)), make([]uint32, len(c.fields))
	return c, nil
}

// Size returns how many bytes a state has.
func (c *Codec) Size() int { return c.size }

// Final returns the final state in which the machine has ended, or 0.
func (c *Codec) Final() uint16 {
	if s := c.core.s; s != nil && s.status == final {
		return s.final
	}
	return 0
}

// Append appends the state of the machine to dst. The error is [ErrAtoms], or says what cannot be written: delayed
// events that are pending, without delays; invoked machines and services, generated ids, late data, the data of a final state, and
// objects that [Snapshot] does not write.
func (c *Codec) Append(dst []byte) (state []byte, err error) {
	if s := c.core.s; s != nil {
		if err := s.unusual(c.delays); err != nil {
			return dst, err
		}
	}
	if c.numbers != nil || c.fields != nil || c.data != nil {
		defer catch(&err)
	}
	from, words := &c.loaded, c.words
	copy(words, from.words)
	if end := c.Final(); end != from.end {
		c.end.change(words, uint32(from.end), uint32(end))
	}
	for i, v := range c.regs {
		if old := from.regs[i]; v != old {
			r := &c.registers[i]
			r.change(words, r.code(old), r.code(v))
		}
	}
	for i, old := range from.numbers {
		if f := &c.numbers[i]; math.Float64bits(*f.at) != math.Float64bits(old) {
			f.change(words, c.number(old), c.number(*f.at))
		}
	}
	for i := range c.fields {
		f := &c.fields[i]
		n := uint32(0)
		switch {
		case f.text != nil:
			n = c.string(*f.text)
		case f.value != nil:
			n = c.scalar(*f.value)
		case *f.truth:
			n = 1
		}
		if old := from.fields[i]; n != old {
			f.change(words, old, n)
		}
	}
	if c.data != nil {
		c.present, c.known = c.writeObjects(), true
		c.objects.change(words, from.objects, c.present)
	}
	if c.delays {
		c.delayed.change(words, from.delayed, c.Delayed)
	}
	whole := c.size / 8
	for _, w := range words[:whole] {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	for rest := range c.size % 8 {
		dst = append(dst, byte(words[whole]>>(8*rest)))
	}
	return dst, nil
}

// unusual says what a [Codec] does not write.
func (s *session) unusual(delays bool) error {
	switch {
	case s.status == stopped:
		return errors.New("it was stopped")
	case s.busy() || s.internal.len() > 0 || s.external.len() > 0:
		return errors.New("it does not rest")
	case len(s.tree.timers) > 0 && !delays:
		return errors.New("a delayed event is pending")
	case len(s.running) > 0:
		return errors.New("it has invoked something")
	case s.ids > 0:
		return errors.New("it has generated ids")
	case len(s.bound) > 0:
		return errors.New("it has late data")
	case s.done != nil:
		return errors.New("its final state has data")
	}
	return nil
}

// Load makes a state that [Codec.Append] has written, with the same atoms, the one of the machine, which has been started.
// It reports whether the machine has ended in it. Whatever is given to the machine must be followed by Append, so
// that it is known whether objects have changed, unless a limit was exceeded.
func (c *Codec) Load(state []byte) (ended bool, err error) {
	to := &c.loaded
	words, whole := to.words, c.size/8
	for i := range whole {
		words[i] = binary.LittleEndian.Uint64(state[8*i:])
	}
	if whole < len(words) {
		words[whole] = 0
		for i, b := range state[8*whole:] {
			words[whole] |= uint64(b) << (8 * i)
		}
	}
	to.end = uint16(c.end.take(words))
	for i := range c.registers {
		r := &c.registers[i]
		v := uint16(r.take(words))
		if v != 0 {
			v += r.base - 1
		}
		to.regs[i] = v
	}
	for i := range c.numbers {
		if n := c.numbers[i].take(words); n < smallIntegers {
			to.numbers[i] = float64(n)
		} else {
			to.numbers[i] = c.valueOf(n).Number()
		}
	}
	for i := range c.fields {
		to.fields[i] = c.fields[i].take(words)
	}
	if c.data != nil {
		to.objects = c.objects.take(words)
	}
	if c.delays {
		to.delayed = c.delayed.take(words)
	}
	return to.end != 0, c.Reload()
}

// Reload puts back the state that was loaded last.
func (c *Codec) Reload() (err error) {
	c.Delayed = c.loaded.delayed
	copy(c.regs, c.loaded.regs)
	for i, v := range c.loaded.numbers {
		*c.numbers[i].at = v
	}
	for i, n := range c.loaded.fields {
		f := &c.fields[i]
		switch {
		case f.truth != nil:
			*f.truth = n != 0
		case f.text != nil:
			*f.text = c.valueOf(n).Text()
		default:
			*f.value = c.valueOf(n)
		}
	}
	if s := c.core.s; s != nil && s.status == stopped { // by a limit, of which Append could not be asked
		c.known = false
	}
	if n := c.loaded.objects; c.data != nil && (!c.known || n != c.present) {
		if err := c.loadObjects(n); err != nil {
			return err
		}
	}
	end := c.loaded.end
	c.core.Flags = c.core.Flags&asked | Started
	if end != 0 {
		c.core.Flags |= Ended
		of(c.node)
	}
	if s := c.core.s; s != nil {
		if s.status = running; end != 0 {
			s.status = final
		}
		s.final, s.err, s.limit, s.done = end, nil, nil, nil
		s.steps, s.fence, s.unstable = 0, 0, false
		s.internal.n, s.external.n = 0, 0
	}
	return nil
}

func (c *Codec) number(v float64) uint32 {
	if n := uint32(int32(v)); n < smallIntegers && float64(n) == v && (n != 0 || !math.Signbit(v)) {
		return n
	}
	if v != v {
		v = js.NaN()
	}
	b := math.Float64bits(v)
	n, ok := c.byBits[b]
	if !ok {
		n = c.atoms.add(atom{typ: js.TypeNumber, bits: b}, js.Number(v))
		c.byBits[b] = n
	}
	return n
}

func (c *Codec) string(v string) uint32 {
	checkLength(v)
	n, ok := c.texts[v]
	if !ok {
		n = c.atoms.add(atom{typ: js.TypeString, text: v}, js.String(v))
		c.texts[v] = n
	}
	return n
}

// checkLength throws for values near the limits that a session has and a machine has not.
func checkLength[T string | []byte](text T) {
	if len(text) > 1<<20 {
		throw("data of more than a megabyte")
	}
}

func (c *Codec) scalar(v js.Value) uint32 {
	switch v.Type() {
	case js.TypeNumber:
		return c.number(v.Number())
	case js.TypeString:
		return c.string(v.Text())
	case js.TypeNull:
		return nullAtom
	case js.TypeBool:
		if v.Bool() {
			return trueAtom
		}
		return falseAtom
	}
	if v.IsDeclared() {
		return undefinedAtom
	}
	return undeclaredAtom
}

// add returns the number of a scalar. It throws ErrAtoms.
func (a *Atoms) add(key atom, v js.Value) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, ok := a.scalar[key]
	if !ok {
		n = uint32(smallIntegers + len(a.values))
		if uint64(n) >= 1<<a.bits {
			throw("%w", ErrAtoms)
		}
		a.values = append(a.values, v)
		a.scalar[key] = n
	}
	return n
}

// valueOf returns the scalar with a number.
func (c *Codec) valueOf(n uint32) js.Value {
	if n < smallIntegers {
		return js.Number(float64(n))
	}
	if n -= smallIntegers; int(n) >= len(c.values) {
		c.atoms.mu.RLock()
		c.values = c.atoms.values
		c.atoms.mu.RUnlock()
	}
	return c.values[n]
}

// writeObjects returns the number of all that data has.
func (c *Codec) writeObjects() uint32 {
	g := graphWriter{dst: c.text[:0], seen: map[*js.Object]int{}}
	for _, v := range c.data {
		if v := v.get(); v.IsDeclared() {
			g.value(v)
		}
		g.dst = append(g.dst, '\n')
	}
	c.text = g.dst
	checkLength(c.text)
	n, ok := c.graph[string(c.text)]
	if !ok {
		text := string(c.text)
		n = c.atoms.addGraph(text)
		c.graph[text] = n
	}
	return n
}

func (a *Atoms) addGraph(text string) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, ok := a.graph[text]
	if !ok {
		n = uint32(len(a.graphs))
		a.graphs = append(a.graphs, text)
		a.graph[text] = n
	}
	return n
}

// loadObjects makes data what has a number.
func (c *Codec) loadObjects(n uint32) (err error) {
	defer catch(&err)
	if int(n) >= len(c.graphs) {
		c.atoms.mu.RLock()
		c.graphs = c.atoms.graphs
		c.atoms.mu.RUnlock()
	}
	c.present, c.known = n, true
	var g graph
	r := &reader{text: c.graphs[n]}
	for _, v := range c.data {
		if r.text[r.at] == '\n' {
			v.set(js.Undeclared())
		} else {
			v.set(g.value(r))
		}
		r.at++
	}
	return nil
}
