package xmltree

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/beevik/etree"
)

// ring returns a document of n states, like those of the benchmarks in other packages.
func ring(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"null\" initial=\"s0\">\n")
	for i := range n {
		fmt.Fprintf(&b, " <state id=\"s%d\">\n", i)
		for j := range 2 {
			fmt.Fprintf(&b, "  <transition event=\"other%d.x\" target=\"s%d\"/>\n", j, (i+j)%n)
		}
		fmt.Fprintf(&b, "  <transition event=\"next\" target=\"s%d\"/>\n </state>\n", (i+1)%n)
	}
	b.WriteString("</scxml>\n")
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		src := ring(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, problems := Parse("ring.scxml", src, Limits{}); problems != nil {
					b.Fatal(problems)
				}
			}
		})
	}
}

// BenchmarkEtree measures etree alone.
func BenchmarkEtree(b *testing.B) {
	src := ring(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := etree.NewDocument().ReadFromBytes(src); err != nil {
			b.Fatal(err)
		}
	}
}
