package linttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/config"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
)

const root = "../../../.."

// read returns a file of the example of a cluster.
func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "cmd/scxmlrun/deploy/cluster", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var language = parser.NewParser(parser.Options{})

// check checks a query: it can be parsed, and each metric that it names exists.
func check(t *testing.T, query string) {
	t.Helper()
	query = strings.ReplaceAll(query, "$__rate_interval", "1m") // Grafana's
	expr, err := language.ParseExpr(query)
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	found := 0
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			found++
			name := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(s.Name, "")
			if s.Name != "up" && !slices.Contains(metrics.Names(), name) {
				t.Errorf("%s: there is no metric %s", query, s.Name)
			}
		}
		return nil
	})
	if found == 0 {
		t.Errorf("%s names no metric", query)
	}
}

// The rules are legal, their metrics exist, and the guide says to each of them what to do.
func TestAlerts(t *testing.T) {
	groups, errs := rulefmt.Parse(read(t, "alerts.yml"), false, model.UTF8Validation, language, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	guide, err := os.ReadFile(filepath.Join(root, "scxml/guides/operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range groups.Groups[0].Rules {
		check(t, rule.Expr)
		if !strings.Contains(string(guide), "\n### "+rule.Alert+"\n") {
			t.Errorf("the guide has no heading %s", rule.Alert)
		}
	}
	if n := len(groups.Groups[0].Rules); n < 10 {
		t.Errorf("%d rules", n)
	}
}

// The reasons and results that queries name exist.
func TestLabelsOfAlerts(t *testing.T) {
	text := write(t)
	for _, m := range regexp.MustCompile(`reason="(\w+)"`).FindAllStringSubmatch(string(read(t, "alerts.yml"))+string(read(t, "grafana/fleet.json")), -1) {
		if !strings.Contains(text, fmt.Sprintf("scxml_sessions_stuck{reason=%q}", m[1])) {
			t.Errorf("there is no reason %s", m[1])
		}
	}
}

// The queries of the dashboard are legal, and their metrics exist.
func TestDashboard(t *testing.T) {
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(read(t, "grafana/fleet.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	if len(dashboard.Panels) < 10 {
		t.Errorf("%d panels", len(dashboard.Panels))
	}
	for _, p := range dashboard.Panels {
		if len(p.Targets) == 0 {
			t.Errorf("panel %q has no query", p.Title)
		}
		for _, q := range p.Targets {
			check(t, q.Expr)
		}
	}
}

// Prometheus understands its configuration. Its own parser needs modules of all services that it can ask for
// targets; this one has the types of its clients, and refuses what it does not know.
func TestPrometheusConfiguration(t *testing.T) {
	var c struct {
		Global struct {
			ScrapeInterval     model.Duration `yaml:"scrape_interval"`
			EvaluationInterval model.Duration `yaml:"evaluation_interval"`
		}
		RuleFiles     []string `yaml:"rule_files"`
		ScrapeConfigs []struct {
			JobName       string `yaml:"job_name"`
			Scheme        string
			Client        config.HTTPClientConfig      `yaml:",inline"`
			StaticConfigs []struct{ Targets []string } `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	d := yaml.NewDecoder(bytes.NewReader(read(t, "prometheus.yml")))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.Global.ScrapeInterval <= 0 || len(c.ScrapeConfigs) != 1 || c.ScrapeConfigs[0].Scheme != "https" {
		t.Fatalf("%+v", c)
	}
	job := c.ScrapeConfigs[0]
	if err := job.Client.Validate(); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(job.StaticConfigs, c.RuleFiles); got != "[{[host1:8420 host2:8420]}] [alerts.yml]" {
		t.Errorf("targets and rules: %s", got)
	}
	// prepare makes the files, and they are where compose.yaml mounts them.
	for _, name := range []string{job.Client.Authorization.CredentialsFile, job.Client.TLSConfig.CAFile} {
		file, ok := strings.CutPrefix(name, "/etc/prometheus/secrets/")
		if !ok || !strings.Contains(string(read(t, "prepare")), "secrets/prometheus/"+file+"\n") {
			t.Errorf("prepare does not make %s", name)
		}
	}
	if !strings.Contains(string(read(t, "compose.yaml")), "./secrets/prometheus:/etc/prometheus/secrets:ro\n") {
		t.Error("compose.yaml mounts no secrets for Prometheus")
	}
}

// The files of the cluster can be read, and what they mount is there or made by prepare.
func TestCompose(t *testing.T) {
	for _, name := range []string{"grafana/provisioning.yml", "grafana/dashboards.yml"} {
		var any map[string]any
		if err := yaml.Unmarshal(read(t, name), &any); err != nil || len(any) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	var compose struct {
		Services map[string]struct {
			Image   string
			Command []string
			Volumes []string
			Depends []string `yaml:"depends_on"`
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal(read(t, "compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	for name, s := range compose.Services {
		if s.Image == "" {
			t.Errorf("%s has no image", name)
		}
		for _, other := range s.Depends {
			if _, ok := compose.Services[other]; !ok {
				t.Errorf("%s depends on %s, which is not a service", name, other)
			}
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			_, named := compose.Volumes[from]
			if named || strings.HasPrefix(from, "./secrets/") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, "cmd/scxmlrun/deploy/cluster", from)); err != nil {
				t.Errorf("%s mounts %s: %v", name, from, err)
			}
		}
	}
	for _, want := range []string{"nats1", "nats2", "nats3", "host1", "host2", "prometheus", "grafana"} {
		if _, ok := compose.Services[want]; !ok {
			t.Errorf("there is no service %s", want)
		}
	}
	if got := compose.Services["host2"].Command; !slices.Contains(got, "--listen=:8420") || got[0] != "serve" {
		t.Errorf("host2 runs %q", got)
	}
}
