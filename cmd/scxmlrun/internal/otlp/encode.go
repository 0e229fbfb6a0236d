package otlp

import (
	"encoding/binary"
	"math"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// A message is one of Protobuf. The numbers of its fields are those of opentelemetry-proto 1.x, whose files
// trace.proto, common.proto, resource.proto and trace_service.proto name them.
type message []byte

func (m *message) key(field, wire uint64) { *m = binary.AppendUvarint(*m, field<<3|wire) }

func (m *message) number(field, n uint64) {
	m.key(field, 0)
	*m = binary.AppendUvarint(*m, n)
}

func (m *message) fixed64(field, n uint64) {
	m.key(field, 1)
	*m = binary.LittleEndian.AppendUint64(*m, n)
}

func (m *message) fixed32(field uint64, n uint32) {
	m.key(field, 5)
	*m = binary.LittleEndian.AppendUint32(*m, n)
}

func (m *message) bytes(field uint64, b []byte) {
	m.key(field, 2)
	*m = append(binary.AppendUvarint(*m, uint64(len(b))), b...)
}

func (m *message) text(field uint64, s string) {
	if s != "" {
		m.bytes(field, []byte(s))
	}
}

// encode returns an ExportTraceServiceRequest of spans of one provider.
func encode(spans []sdk.ReadOnlySpan) []byte {
	var request, all, described message
	described.attributes(1, spans[0].Resource().Attributes())
	all.bytes(1, described)
	var order []instrumentation.Scope
	scopes := map[instrumentation.Scope]*message{}
	for _, s := range spans {
		scope := s.InstrumentationScope()
		if scopes[scope] == nil {
			var named message
			named.text(1, scope.Name)
			named.text(2, scope.Version)
			m := new(message)
			m.bytes(1, named)
			scopes[scope] = m
			order = append(order, scope)
		}
		scopes[scope].bytes(2, encodeSpan(s))
	}
	for _, scope := range order {
		all.bytes(2, *scopes[scope])
	}
	request.bytes(1, all)
	return request
}

func encodeSpan(s sdk.ReadOnlySpan) (m message) {
	m.context(s.SpanContext())
	if parent := s.Parent(); parent.SpanID().IsValid() {
		id := parent.SpanID()
		m.bytes(4, id[:])
	}
	m.text(5, s.Name())
	m.number(6, uint64(s.SpanKind()))
	m.fixed64(7, uint64(s.StartTime().UnixNano()))
	m.fixed64(8, uint64(s.EndTime().UnixNano()))
	m.attributes(9, s.Attributes())
	m.number(10, uint64(s.DroppedAttributes()))
	for _, e := range s.Events() {
		var event message
		event.fixed64(1, uint64(e.Time.UnixNano()))
		event.text(2, e.Name)
		event.attributes(3, e.Attributes)
		m.bytes(11, event)
	}
	for _, l := range s.Links() {
		var link message
		link.context(l.SpanContext)
		link.attributes(4, l.Attributes)
		link.fixed32(6, flags(l.SpanContext))
		m.bytes(13, link)
	}
	var status message
	status.text(2, s.Status().Description)
	status.number(3, map[codes.Code]uint64{codes.Ok: 1, codes.Error: 2}[s.Status().Code])
	m.bytes(15, status)
	m.fixed32(16, flags(s.Parent())|uint32(s.SpanContext().TraceFlags()))
	return m
}

// context adds what a span and a link have in the same fields.
func (m *message) context(c trace.SpanContext) {
	id, span := c.TraceID(), c.SpanID()
	m.bytes(1, id[:])
	m.bytes(2, span[:])
	m.text(3, c.TraceState().String())
}

// flags are those of a context, with the bits that say whether it is of another process.
func flags(c trace.SpanContext) uint32 {
	n := uint32(c.TraceFlags()) | 1<<8
	if c.IsRemote() {
		n |= 1 << 9
	}
	return n
}

func (m *message) attributes(field uint64, all []attribute.KeyValue) {
	for _, a := range all {
		var pair message
		pair.text(1, string(a.Key))
		pair.bytes(2, value(a.Value))
		m.bytes(field, pair)
	}
}

func value(v attribute.Value) (m message) {
	switch v.Type() {
	case attribute.BOOL:
		n := uint64(0)
		if v.AsBool() {
			n = 1
		}
		m.number(2, n)
	case attribute.INT64:
		m.number(3, uint64(v.AsInt64()))
	case attribute.FLOAT64:
		m.fixed64(4, math.Float64bits(v.AsFloat64()))
	case attribute.STRINGSLICE:
		var list message
		for _, s := range v.AsStringSlice() {
			var item message
			item.bytes(1, []byte(s))
			list.bytes(1, item)
		}
		m.bytes(5, list)
	default:
		m.bytes(1, []byte(v.String()))
	}
	return m
}
