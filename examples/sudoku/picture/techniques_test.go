package picture

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

var update = flag.Bool("update", false, "write the pictures and captions of human/TECHNIQUES.md anew")

// maxPictures is the size of all pictures of the page together.
const maxPictures = 600 << 10

// The page about techniques has a section for each, with a picture and a caption that are
// those of the program. This writes them anew:
//
//	go test ./examples/sudoku/picture -run TestTechniques -update
func TestTechniques(t *testing.T) {
	const page, folder = "../human/TECHNIQUES.md", "../human/techniques"
	source, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	examples := examplesOf(t)
	total, sections := 0, 0
	files := map[string]bool{}
	got := section.ReplaceAllStringFunc(string(source), func(text string) string {
		m := section.FindStringSubmatch(text)
		technique, err := human.ParseTechnique(m[1])
		if err != nil || technique.String() != m[1] {
			t.Errorf("the page has a section %q: %v", m[1], err)
			return text
		}
		x, ok := examples[technique]
		if !ok {
			t.Errorf("there is no example of %v", technique)
			return text
		}
		delete(examples, technique)
		sections++
		total += len(x.svg)
		name := fileOf(technique)
		files[name] = true
		check(t, filepath.Join(folder, name), x.svg)
		return fmt.Sprintf("%s<!-- picture --><img width=\"320\" alt=\"%v\" src=\"techniques/%s\">\n*%s* <!-- end -->\n", m[0][:len(m[0])-len(m[2])], technique, name, x.caption)
	})
	check(t, page, got)
	for technique := range examples {
		t.Errorf("the page has no section %q", technique)
	}
	if sections < 70 || total > maxPictures {
		t.Errorf("%d sections, and pictures of %d bytes: want at least 70, and at most %d bytes", sections, total, maxPictures)
	}
	present, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range present {
		if !files[f.Name()] {
			t.Errorf("%s is not on the page", filepath.Join(folder, f.Name()))
		}
	}
}

// section is a section: its heading, its text, and the picture and caption that are
// written by the test.
var section = regexp.MustCompile(`(?m)^### (.*)\n\n(?:[^#<\n].*\n)+\n(<!-- picture -->(?:.*\n.*<!-- end -->)?\n)`)

// check compares a file with what it should be, or writes it.
func check(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s is stale (%v); run go test ./examples/sudoku/picture -run TestTechniques -update, and look at it", name, err)
	}
}

// fileOf returns the name of the picture of a technique.
func fileOf(t human.Technique) string {
	name := strings.ReplaceAll(strings.ToLower(t.String()), " ", "-")
	name = strings.NewReplacer("bug+1", "bug-plus-1", "-+", "-plus").Replace(name)
	return name + ".svg"
}

type example struct{ svg, caption string }

// examplesOf returns an example for each technique: of the positions that have one, that
// with the smallest picture.
func examplesOf(t *testing.T) map[human.Technique]example {
	source, err := os.ReadFile("../human/testdata/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[human.Technique]example{}
	for line := range strings.Lines(string(source)) {
		name, _, _ := strings.Cut(line[1:], ":")
		technique, err := human.ParseTechnique(name)
		if err != nil {
			t.Fatal(err)
		}
		p, step := stepAt(t, line, technique)
		var svg strings.Builder
		if err := StepSVG(&svg, p, step, StepOptions{Few: true, Text: true, Ground: White}); err != nil {
			t.Fatal(err)
		}
		if x, ok := examples[technique]; ok && len(x.svg) <= svg.Len() {
			continue
		}
		reason := step.Reason()
		if step.Technique >= human.DynamicForcingChains && step.Technique <= human.NestedForcingChains {
			reason = "a contradiction" // after more than a caption can hold
		}
		examples[technique] = example{svg.String(), fmt.Sprintf("%v, %d points, %v. In the picture: %s: %s.",
			technique.Rating(), technique.Score(), technique.Class(), unequal(reason), unequal(step.Effect()))}
	}
	return examples
}

// Names of files are different, also where upper and lower case are the same.
func TestTechniquesHaveFilesOfTheirOwn(t *testing.T) {
	var names []string
	for _, technique := range human.Techniques() {
		names = append(names, fileOf(technique))
	}
	slices.Sort(names)
	if n := len(slices.Compact(slices.Clone(names))); n != len(names) {
		t.Errorf("%d files for %d techniques", n, len(names))
	}
}
