package rest

import (
	"fmt"
	"net/http"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// maxUnfit is how many sessions that do not fit an answer names.
const maxUnfit = 1000

// A migration is what an answer says of one.
type migration struct {
	Tried    int     `json:"tried"`
	Fit      int     `json:"fit"`
	Migrated int     `json:"migrated"`
	Unfit    []unfit `json:"unfit"`
	Error    string  `json:"error,omitempty"`
	Code     string  `json:"code,omitempty"`
}

type unfit struct {
	Key   string `json:"key"`
	Error string `json:"error"`
}

func (s *Server) migrateSessions(c *call) (int, any, error) {
	var in struct {
		From   string            `json:"from"`
		To     string            `json:"to"`
		States map[string]string `json:"states"`
		Script string            `json:"script"`
		Try    bool              `json:"try"`
		Keys   []string          `json:"keys"`
		Prefix string            `json:"prefix"`
		Share  *float64          `json:"share"`
	}
	if err := c.decode(&in); err != nil {
		return 0, nil, err
	}
	found, err := s.chart(c.r.PathValue("chart"))
	if err != nil {
		return 0, nil, err
	}
	m := fleet.Migration{
		Chart: found.Name, From: in.From, To: in.To, Keys: in.Keys, Prefix: in.Prefix,
		States: in.States, Script: in.Script, Try: in.Try,
	}
	if in.Share != nil {
		if m.Share = *in.Share; m.Share <= 0 || m.Share > 1 {
			return 0, nil, malformed("the share %v is not more than 0 and at most 1", m.Share)
		}
	}
	report, err := s.cfg.Fleet.Migrate(c, m)
	if err != nil {
		return 0, nil, err
	}
	body := migration{Tried: report.Tried, Fit: report.Tried - len(report.Unfit), Migrated: report.Migrated, Unfit: []unfit{}}
	for _, u := range report.Unfit[:min(len(report.Unfit), maxUnfit)] {
		body.Unfit = append(body.Unfit, unfit{u.Key, u.Err.Error()})
	}
	if len(report.Unfit) == 0 || in.Try {
		return http.StatusOK, body, nil
	}
	body.Code, body.Error = "unfit", fmt.Sprintf("%d of %d sessions do not fit the version", len(report.Unfit), report.Tried)
	return http.StatusConflict, body, nil
}
