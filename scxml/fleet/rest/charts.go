package rest

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// Uploaded is what [Config].Upload says of a chart.
type Uploaded struct {
	Hash     string
	New      bool // the version was not there before
	Warnings []scxml.Diagnostic
}

// ErrFixed is wrapped by the error of [Config].Upload for a chart that cannot be replaced by an upload.
var ErrFixed = errors.New("the chart was not uploaded, and is replaced by those who start the server")

var chartName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`) })

const maxChartName = 200 // bytes

// CheckChartName returns an error unless a text can be the name of a chart.
func CheckChartName(name string) error {
	if len(name) > maxChartName || !chartName().MatchString(name) {
		return fmt.Errorf("%.220q is not a name for a chart: want 1 to 200 letters, digits and . _ -, the first of them a letter or digit", name)
	}
	return nil
}

func (s *Server) listCharts(*call) (int, any, error) {
	return http.StatusOK, map[string]any{"charts": list(s.cfg.Fleet.Charts())}, nil
}

func (s *Server) getChart(c *call) (int, any, error) {
	found, err := s.chart(c.r.PathValue("chart"))
	return http.StatusOK, found, err
}

func (s *Server) chart(name string) (fleet.ChartInfo, error) {
	charts := s.cfg.Fleet.Charts()
	i := slices.IndexFunc(charts, func(c fleet.ChartInfo) bool { return c.Name == name })
	if i < 0 {
		return fleet.ChartInfo{}, refuse(http.StatusNotFound, "not-found", "there is no chart %q", name)
	}
	return charts[i], nil
}

// A diagnostic is a problem of a document in an answer.
type diagnostic struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

func diagnostics(list []scxml.Diagnostic) []diagnostic {
	all := []diagnostic{}
	for _, d := range list {
		all = append(all, diagnostic{d.Pos.Line, d.Pos.Col, d.Severity.String(), d.Code, d.Message})
	}
	return all
}

func (s *Server) putChart(c *call) (int, any, error) {
	name := c.r.PathValue("chart")
	if err := CheckChartName(name); err != nil {
		return 0, nil, malformed("%w", err)
	}
	try, err := c.flag("try")
	if err != nil {
		return 0, nil, err
	}
	document, err := c.body(s.cfg.MaxChart, "application/scxml+xml", "application/xml", "text/xml")
	if err != nil {
		return 0, nil, err
	}
	if s.cfg.Upload == nil {
		return 0, nil, refuse(http.StatusForbidden, "forbidden", "this server takes no charts")
	}
	u, err := s.cfg.Upload(c, name, document, try)
	if err != nil {
		return 0, nil, err
	}
	status := http.StatusOK
	if u.New && !try {
		status = http.StatusCreated
	}
	return status, map[string]any{"name": name, "hash": u.Hash, "diagnostics": diagnostics(u.Warnings)}, nil
}

func (s *Server) deleteVersion(c *call) (int, any, error) {
	remove := s.cfg.Remove
	if remove == nil {
		remove = s.cfg.Fleet.Undefine
	}
	return http.StatusNoContent, nil, remove(c, c.r.PathValue("chart"), c.r.PathValue("hash"))
}
