package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// A description is openapi.json, which describes each answer of each test.
type description struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
}

const resource = "https://example.com/openapi.json"

var described = sync.OnceValue(func() *description {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(rest.OpenAPI()))
	if err != nil {
		panic(err)
	}
	d := &description{doc: doc.(map[string]any), compiler: jsonschema.NewCompiler()}
	closeObjects(d.doc["components"].(map[string]any)["schemas"])
	closeObjects(d.doc["paths"])
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(resource, doc); err != nil {
		panic(err)
	}
	return d
})

// closeObjects allows only the properties that a schema names: our own answers have no others.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for _, item := range v {
			closeObjects(item)
		}
	case []any:
		for _, item := range v {
			closeObjects(item)
		}
	}
}

// operations returns the methods and paths of the description.
func (d *description) operations() (all []string) {
	for path, item := range d.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method != "parameters" {
				all = append(all, strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(all)
	return all
}

// at returns the value at a JSON pointer, following references.
func (d *description) at(pointer string) (v map[string]any, where string) {
	v = d.doc
	for _, word := range strings.Split(pointer, "/")[1:] {
		next, ok := v[strings.NewReplacer("~1", "/", "~0", "~").Replace(word)].(map[string]any)
		if !ok {
			return nil, pointer
		}
		v = next
	}
	if ref, ok := v["$ref"].(string); ok {
		return d.at(strings.TrimPrefix(ref, "#"))
	}
	return v, pointer
}

// check returns what the description does not say about an answer.
func (d *description) check(pattern string, status int, header http.Header, body []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	method, path, _ := strings.Cut(pattern, " ")
	operation := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + strings.ToLower(method) + "/responses/"
	response, where := d.at(operation + strconv.Itoa(status))
	if response == nil {
		response, where = d.at(operation + "default")
	}
	if response == nil {
		return fmt.Errorf("%s has no answer with status %d", pattern, status)
	}
	for name := range mapAt(response, "headers") {
		if header.Get(name) == "" {
			return fmt.Errorf("%s, status %d: the header %s is missing", pattern, status, name)
		}
	}
	contents := mapAt(response, "content")
	if len(contents) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("%s, status %d has a body: %s", pattern, status, body)
		}
		return nil
	}
	media, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if contents[media] == nil {
		return fmt.Errorf("%s, status %d: content type %q, want one of %q", pattern, status, media, slices.Collect(maps.Keys(contents)))
	}
	if media != "application/json" {
		return nil
	}
	schema, err := d.compiler.Compile(resource + "#" + where + "/content/application~1json/schema")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		return fmt.Errorf("%s, status %d: %w\n%s", pattern, status, err, body)
	}
	return nil
}

func mapAt(m map[string]any, name string) map[string]any {
	found, _ := m[name].(map[string]any)
	return found
}

// Every route is described, with its scope, and everything that is described is a route.
func TestOpenAPIHasEveryRoute(t *testing.T) {
	d := described()
	var routes []string
	for pattern, scope := range rest.Routes() {
		pattern = rest.Path(pattern)
		routes = append(routes, pattern)
		method, path, _ := strings.Cut(pattern, " ")
		operation, _ := d.at("/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + strings.ToLower(method))
		var scopes []string
		list, _ := operation["security"].([]any)
		for _, item := range list {
			for _, name := range item.(map[string]any)["bearer"].([]any) {
				scopes = append(scopes, name.(string))
			}
		}
		if got := strings.Join(scopes, ","); got != scope.String() {
			t.Errorf("%s needs the scope %q, and is described with %q", pattern, scope, got)
		}
	}
	slices.Sort(routes)
	if want := d.operations(); !slices.Equal(routes, want) {
		t.Errorf("routes %q\ndescribed %q", routes, want)
	}
}

// The document that is served is the one in the source.
func TestOpenAPIIsServed(t *testing.T) {
	r := newRig(t, rigConfig{})
	got := r.do("GET", "/v1/openapi.json", "", anonymous)
	if got.status != 200 || !json.Valid(got.body) || !bytes.Equal(got.body, rest.OpenAPI()) {
		t.Errorf("status %d, %d bytes", got.status, len(got.body))
	}
}
