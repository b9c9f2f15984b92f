package words

import (
	"strconv"
	"strings"

	"metalab/kernel/wire"
)

// budget reads 10s, 500ms, 2m, 1h and 10cpu where the verb takes times, also as words: 10 seconds,
// 10 cpu, 10 cpu seconds, and 10 iterations.
func (p *parser) budget(w Token) (name string, v any, ok bool) {
	if _, takes := p.call.Verb.Arg("wall"); !takes || w.Quoted || p.scope.isRun(w.Text) {
		return "", nil, false
	}
	if name, v, ok = p.amount(w); ok {
		return name, v, true
	}
	if s, isCPU := strings.CutSuffix(w.Text, "cpu"); isCPU && s != "" {
		f, err := wire.ParseSeconds(s)
		return "cpu", f, err == nil && !p.has("cpu")
	}
	if _, err := strconv.ParseFloat(w.Text, 64); err == nil || !isNumeric(w.Text) {
		return "", nil, false // a number alone is iterations
	}
	f, err := wire.ParseSeconds(w.Text)
	return "wall", f, err == nil && !p.has("wall")
}

// amount reads a number whose unit is the next word.
func (p *parser) amount(w Token) (name string, v any, ok bool) {
	if !isNumeric(w.Text) || len(p.words) == 0 || p.words[0].Quoted || p.scope.isRun(p.words[0].Text) {
		return "", nil, false
	}
	unit := p.words[0]
	if _, isKey := p.keyword(unit); isKey {
		return "", nil, false
	}
	f, err := wire.ParseSeconds(w.Text)
	n, errN := strconv.ParseUint(w.Text, 10, 64)
	_, counts := p.call.Verb.Arg("n")
	switch u := unit.Text; {
	case wire.IsTimeUnit(u) && !p.has("wall"):
		f, err = wire.ParseSeconds(w.Text + u)
		name, v = "wall", f
	case u == "cpu" && !p.has("cpu"):
		name, v = "cpu", f
	case (u == "iteration" || u == "iterations") && counts && !p.has("n"):
		name, v, err = "n", n, errN
	default:
		return "", nil, false
	}
	if err != nil {
		return "", nil, false
	}
	p.next()
	if s := p.words; name == "cpu" && len(s) > 0 && !s[0].Quoted && !p.scope.isRun(s[0].Text) &&
		wire.IsTimeUnit(s[0].Text) { // 10 cpu seconds
		v, err = wire.ParseSeconds(w.Text + p.next().Text)
	}
	return name, v, err == nil
}

// durationFollows reports whether the verb takes times, and a number begins the next word.
func (p *parser) durationFollows() bool {
	_, takes := p.call.Verb.Arg("wall")
	return takes && len(p.words) > 0 && isNumeric(p.words[0].Text) && !p.scope.isRun("for")
}
