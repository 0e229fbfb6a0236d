package conformance

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/fstest"
)

const manifestName = "manifest.xml"

// manualTests says how to judge each manual test of the W3C's manifest without
// a person.
//
//go:embed w3c_manual.json
var manualTests []byte

// document513 is our document for test 513, for which the W3C has only a text
// that instructs the tester.
//
//go:embed w3c_test513.scxml
var document513 []byte

// OpenW3CAbstract reads the suite in the W3C's own layout: a file manifest.xml
// and the abstract documents that it names, which [ConvertTXML] converts. It
// looks for each where the manifest says, in the folder txml, and in the
// manifest's folder.
func OpenW3CAbstract(fsys fs.FS) (*W3CSuite, error) {
	data, err := fs.ReadFile(fsys, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("conformance: cannot open the W3C suite: the folder does not have a %s", manifestName)
	}
	if err != nil {
		return nil, fmt.Errorf("conformance: cannot open the W3C suite: %w", err)
	}
	var manifest struct {
		Asserts []struct {
			ID        string `xml:"id,attr"`
			Section   string `xml:"specnum,attr"`
			Assertion string `xml:",chardata"`
			Tests     []struct {
				Conformance string `xml:"conformance,attr"`
				Manual      bool   `xml:"manual,attr"`
				Start       []file `xml:"start"`
				Dep         []file `xml:"dep"`
			} `xml:"test"`
		} `xml:"assert"`
	}
	if err := xml.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("conformance: %s: %w", manifestName, err)
	}
	var manual map[string]W3CTest
	if err := json.Unmarshal(manualTests, &manual); err != nil {
		return nil, fmt.Errorf("conformance: w3c_manual.json: %w", err)
	}
	converted := make(fstest.MapFS)
	suite := &W3CSuite{fsys: converted, Abstract: true}
	for _, a := range manifest.Asserts {
		for _, m := range a.Tests {
			for _, dep := range m.Dep {
				if _, err := convertFile(fsys, dep.URI, converted); err != nil {
					return nil, fmt.Errorf("conformance: test %s: %w", a.ID, err)
				}
			}
			for _, start := range m.Start {
				base := strings.TrimSuffix(path.Base(start.URI), path.Ext(start.URI))
				t := W3CTest{
					ID: strings.TrimPrefix(base, "test"), Assert: a.ID,
					Spec: strings.Fields(a.Section), Assertion: strings.Join(strings.Fields(a.Assertion), " "),
					Conformance: m.Conformance, Manual: m.Manual,
					Start: base + ".scxml", Expect: "pass", Final: "pass",
				}
				if t.Manual {
					known, ok := manual[t.ID]
					if !ok {
						t.broken = errors.New("cannot judge the manual test: w3c_manual.json does not list it")
					}
					t.Expect, t.Final, t.Check = known.Expect, known.Final, known.Check
				}
				if t.Check != nil && t.Check.NotByW3C {
					converted[t.Start] = &fstest.MapFile{Data: document513}
				} else if _, err := convertFile(fsys, start.URI, converted); err != nil {
					t.broken = err
				}
				if f := converted[t.Start]; f != nil {
					t.describe(f.Data)
				}
				suite.Tests = append(suite.Tests, t)
			}
		}
	}
	if len(suite.Tests) == 0 {
		return nil, fmt.Errorf("conformance: %s does not list any tests", manifestName)
	}
	slices.SortStableFunc(suite.Tests, func(a, b W3CTest) int { return compareIDs(a.ID, b.ID) })
	return suite, nil
}

type file struct {
	URI string `xml:"uri,attr"`
}

// convertFile puts a file of the suite into dst and returns its name there. It
// converts .txml files.
func convertFile(fsys fs.FS, uri string, dst fstest.MapFS) (name string, err error) {
	var source []byte
	for _, at := range []string{uri, path.Join("txml", path.Base(uri)), path.Base(uri)} {
		if source, err = fs.ReadFile(fsys, at); err == nil {
			break
		}
	}
	if err != nil {
		return "", fmt.Errorf("cannot find %s: looked where the manifest says, in the folder txml and in the manifest's folder", path.Base(uri))
	}
	name = path.Base(uri)
	if stem, ok := strings.CutSuffix(name, ".txml"); ok {
		name = stem + ".scxml"
		if source, err = ConvertTXML(source); err != nil {
			return "", fmt.Errorf("cannot convert %s: %w", path.Base(uri), err)
		}
	}
	dst[name] = &fstest.MapFile{Data: source}
	return name, nil
}

// delayPattern finds the attributes delay, and delayexpr with a literal.
var delayPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\sdelay(?:expr)?\s*=\s*["']'?([0-9]*\.?[0-9]+)(m?s)`)
})

// describe fills in what the document itself shows.
func (t *W3CTest) describe(document []byte) {
	var root struct {
		Datamodel string `xml:"datamodel,attr"`
	}
	if err := xml.Unmarshal(document, &root); err != nil {
		t.broken = err
	}
	t.Datamodel = cmp.Or(root.Datamodel, "ecmascript")
	needs := make(map[string]bool)
	for feature, sign := range map[string]string{
		"basichttp": "basichttp", "invoke": "<invoke", "event.raw": "_event.raw", "script": "<script",
	} {
		needs[feature] = bytes.Contains(document, []byte(sign))
	}
	needs["basichttp"] = needs["basichttp"] || bytes.Contains(document, []byte("#BasicHTTPEventProcessor"))
	needs["null-datamodel"] = t.Datamodel == "null"
	for _, feature := range slices.Sorted(maps.Keys(needs)) {
		if needs[feature] {
			t.Needs = append(t.Needs, feature)
		}
	}
	for _, m := range delayPattern().FindAllSubmatch(document, -1) {
		seconds, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			continue
		}
		if string(m[2]) == "ms" {
			seconds /= 1000
		}
		t.LongestDelay = max(t.LongestDelay, seconds)
	}
}
