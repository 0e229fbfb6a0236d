package scxml

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The program at the beginning of doc.go is the Example of example_doc_test.go, which is compiled
// and run.
func TestPackageDocShowsTheExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_doc_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(doc), "\n//\n//\t")
	program, _, _ = strings.Cut(program, "\n//\n// A [Chart]")
	program = regexp.MustCompile(`(?m)^//\t?`).ReplaceAllString(program, "") + "\n"

	want := strings.NewReplacer("package scxml_test", "package main", "func Example()", "func main()").Replace(string(example))
	want = regexp.MustCompile(`(?s)\t// Output:.*?\n\}`).ReplaceAllString(want, "}")
	if program != want {
		t.Errorf("doc.go shows\n%s\nbut example_doc_test.go has\n%s", program, want)
	}
}
