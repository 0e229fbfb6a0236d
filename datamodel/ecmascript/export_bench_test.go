package ecmascript_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// BenchmarkExport is what it costs to send data that a script has changed a little.
func BenchmarkExport(b *testing.B) {
	for _, bb := range []struct{ name, data, change string }{
		{"cart", `data = {customer: {name: "Ada", address: ["1 Street", "City", "12345"]}, total: 0, items: []};
			for (var i = 0; i < 12; i++) data.items.push({sku: "A" + i, qty: 1, price: 9.5, tags: ["new", "blue"]});`,
			`data.items[3].qty++; data.total += 9.5`},
		{"window", `data = {sensor: "t1", limits: [[0, 10], [-5, 80]], samples: []}; for (var i = 0; i < 60; i++) data.samples.push(i / 4);`,
			`data.samples.shift(); data.samples.push(data.samples.length / 8)`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			st := newStore(b)
			st.run("var data, i; " + bb.data)
			change, data := expr(datamodel.Script, bb.change), expr(datamodel.ValueExpr, "data")
			measure(b, func() {
				if err := st.Run(change); err != nil {
					b.Fatal(err)
				}
				if _, err := st.Value(data); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
