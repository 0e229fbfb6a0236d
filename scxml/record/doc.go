// Package record has what SCXML sessions do, as values.
//
// A [Record] is one thing that a session tree has done, or that was done to it.
// A [Recorder] makes a stream of them from a session's trace:
//
//	rec := record.NewRecorder(start, record.All, func(r *record.Record) { fmt.Println(r) })
//	s, err := scxml.New(chart, scxml.WithTrace(rec.Trace()))
//
// A record has one text form, for people, and one JSON form, for machines; both
// are one line, and both can be read back:
//
//	event tap {"x":0,"y":2}
//	{"type":"event","seq":4,"time_ms":0,"session":"3v0ke8ae3ds2r","name":"tap","data":{"x":0,"y":2},…}
//
// The JSON form is that of the machine protocol of scxmlrun, see its PROTOCOL.md;
// that leaves out kinds which only recordings need. Traces of tests are the text
// form with the fields that a test does not care about left out.
//
// # Inputs and consequences
//
// [Record.Input] tells the two kinds of records apart. Inputs are what comes from
// outside of the session tree: that the driver's clock has moved on, that an event
// has arrived, that a service or a delivery has failed, that somebody evaluated
// an expression, took back a delayed event, or asked for a stop. Everything else
// is a consequence of them: a session of the same chart with the same options
// and seed, which is given the same inputs at the same places of the stream,
// tells the same records. The place of an input is its Seq in a stream of [All]
// kinds: it belongs between the steps after which so many records have been told.
package record
