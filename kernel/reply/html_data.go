package reply

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
)

// HTML returns the picture itself if it is SVG.
func (r *PlotReply) HTML() string {
	if r.Mime == "image/svg+xml" && r.Path == "" {
		s := string(r.Data)
		if i := strings.Index(s, "<svg"); i >= 0 {
			return s[i:]
		}
	}
	if r.Mime == "image/png" && r.Path == "" {
		return picture(r.Mime, r.Data, 0, r.Figure)
	}
	return pre(r.String())
}

// picture is an image of a page; width in CSS pixels, 0 for its own.
func picture(mime string, data []byte, width int, alt string) string {
	if len(data) == 0 {
		return ""
	}
	size := ""
	if width > 0 {
		size = fmt.Sprintf(` width="%d"`, width)
	}
	return fmt.Sprintf(`<img alt="%s"%s src="data:%s;base64,%s"/>`, Escape(alt), size, Escape(mime),
		base64.StdEncoding.EncodeToString(data))
}

// HTML names the written file.
func (r *FileReply) HTML() string { return htmlLine("", r.String()) }

// HTML says whether the record replays.
func (r *ReplayReply) HTML() string { return verdict(r.Identical, r.String()) }

// HTML returns the source, or the file that holds it.
func (r *SourceReply) HTML() string {
	if r.Path != "" {
		return htmlNote(r.String())
	}
	return "<pre>" + Escape(r.String()) + "</pre>"
}

// HTML says where the two part.
func (r *DiffReply) HTML() string {
	out := ""
	for line := range strings.Lines(r.String()) {
		out += verdict(r.Identical, strings.TrimSuffix(line, "\n"))
	}
	return out
}

// kinds are the kinds of problem in words.
var kinds = map[string]string{
	"tsp": "symmetric travelling salesman", "atsp": "asymmetric travelling salesman",
	"qap": "quadratic assignment",
	"ppp": "permuted perceptron", "weierstrass": "Weierstrass function",
	"colouring": "graph colouring",
}

// HTML returns the card of the instance, with its picture if it was requested.
func (r *InstanceReply) HTML() string {
	kind := r.Kind
	if k := kinds[kind]; k != "" {
		kind = k
	}
	rows := [][2]string{{"problem", Escape(kind)}, {"size", fmt.Sprint(r.Size)}}
	if r.Metric != "" {
		rows = append(rows, [2]string{"metric", Escape(r.Metric)})
	}
	switch {
	case r.Best.Known() && r.Proven:
		rows = append(rows, [2]string{"optimum", "<b>" + Escape(r.Best.String()) + "</b>"})
	case r.Best.Known():
		rows = append(rows, [2]string{"best known", "<b>" + Escape(r.Best.String()) + "</b>, not proven"})
	default:
		rows = append(rows, [2]string{"best known", "nothing"})
	}
	if r.Source != "" {
		rows = append(rows, [2]string{"after", Escape(r.Source)})
	}
	if r.Path != "" {
		rows = append(rows, [2]string{"read from", Escape(r.Path)})
	}
	if r.Fixed != "" {
		rows = append(rows, [2]string{"with", Escape(r.Fixed)})
	}
	return htmlCard("<b>"+Escape(r.Name)+"</b>", rows,
		picture(r.PictureMime, r.Picture, 200, "the instance "+r.Name)) + htmlWarned(r.Warning)
}

// htmlWarned is a warning, a paragraph for each of its lines.
func htmlWarned(lines string) string {
	out := ""
	for line := range strings.SplitSeq(lines, "\n") {
		if line != "" {
			out += htmlNote(line)
		}
	}
	return out
}

// HTML returns a table of variants, and for one solver those of presets and parameters.
func (r *SolversReply) HTML() string {
	out := htmlTable(r.rows())
	if s := r.footnote(); s != "" {
		out += "<p>" + Escape(s) + "</p>"
	}
	switch {
	case len(r.Names) == 0:
	case r.Asked == "":
		out += "<p>" + strings.ReplaceAll(Escape(r.known()), "\n", "<br>") + "</p>"
	default:
		out += htmlTable(r.names())
	}
	if r.Details {
		out += htmlTable(r.presets())
	}
	for _, v := range r.Variants {
		if len(v.Params) > 0 {
			out += fmt.Sprintf("<p><b>%s/%s</b>: %s</p>%s", Escape(v.Solver), Escape(v.Variant),
				Escape(v.Source), paramsHTML(v.Params))
		}
	}
	return out
}

// held says who holds how much of the memory.
func (g GPU) held() string {
	var all []string
	for _, h := range g.Holders {
		all = append(all, h.Holder+" "+bytesText(h.Bytes))
	}
	return cmp.Or(Printable(strings.Join(all, ", ")), "-")
}

// HTML returns a table of the devices.
func (r *DevicesReply) HTML() string {
	rows := [][]string{{
		"device", "what it is", "memory", "free", "compute capability",
		"multiprocessors", "driver", "held by",
	}}
	rows = append(rows, []string{"cpu", count(r.Cores, "core"), "-", "-", "-", "-", "-", "-"})
	problems := ""
	for _, g := range r.GPUs {
		free := "-"
		if g.Free != nil {
			free = bytesText(*g.Free)
		}
		rows = append(rows, []string{
			fmt.Sprintf("gpu %d", g.Device), Printable(g.Name),
			bytesText(g.Memory), free, g.Capability, fmt.Sprint(g.SMs), "CUDA " + g.Driver, g.held(),
		})
		if g.Problem != "" {
			problems += htmlNote(fmt.Sprintf("gpu %d cannot be used: %s", g.Device, Printable(g.Problem)))
		}
	}
	out := htmlTable(trimmed(rows, "memory", "free", "compute capability", "multiprocessors",
		"driver", "held by")) + problems
	if len(r.Runs) > 0 {
		rows := [][]string{{"run", "on", "solver", "instance", "state"}}
		for _, x := range r.Runs {
			rows = append(rows, []string{
				Printable(x.name()), "gpu " + x.GPUs, x.Solver + "/" + x.Variant, Printable(x.Instance),
				x.State,
			})
		}
		out += htmlTable(rows)
	}
	if r.Reason != "" {
		out += htmlNote("no GPU: " + r.Reason +
			" (lab.Doctor says more; everything runs on the cpu meanwhile)")
	}
	return out
}

// HTML returns a table of the findings.
func (r *DoctorReply) HTML() string {
	rows := [][]string{{"", "subject", "what was found", "what to do"}}
	marks := map[string]string{"fine": "✓", "note": "·", "problem": "✗"}
	for _, f := range r.Findings {
		rows = append(rows, []string{marks[f.Level], f.Subject, Printable(f.Text), Printable(f.Fix)})
	}
	end := "a GPU can be used: lab.Open(…, lab.On(\"cuda\"))"
	if !r.Usable {
		end = "no GPU can be used here; everything runs on the cpu meanwhile"
	}
	return htmlTable(rows) + htmlNote(end)
}

// HTML returns a table of the arrays and modules on a GPU.
func (r *GPUReply) HTML() string {
	out := htmlLine("", r.GPU.String())
	if len(r.Arrays) > 0 {
		rows := [][]string{{"array", "type", "length", "memory"}}
		for _, a := range r.Arrays {
			rows = append(rows, []string{a.Array, a.Type, fmt.Sprint(a.Len), bytesText(a.Bytes)})
		}
		out += htmlTable(rows)
	}
	for _, m := range r.Modules {
		out += htmlLine("", m.String())
	}
	return out
}

// HTML returns the array in a line, and its first elements.
func (r *ArrayReply) HTML() string {
	head, values, ok := strings.Cut(r.String(), "\n")
	if !ok {
		return htmlLine("", head)
	}
	return htmlLine("", head) + pre(values)
}

// HTML lists the kernels.
func (r *ModuleReply) HTML() string { return htmlLine("", r.String()) }

// HTML says how long the kernel took.
func (r *LaunchReply) HTML() string { return htmlLine("", r.String()) }

// HTML returns a table about the host.
func (r *AboutReply) HTML() string {
	var rows [][2]string
	for _, row := range r.rows() {
		rows = append(rows, [2]string{row[0], Escape(row[1])})
	}
	return htmlCard("session <b>"+Escape(r.Session)+"</b>", rows[1:])
}

// HTML returns the sentence.
func (r *NoteReply) HTML() string {
	if strings.Contains(r.Note, "\n") {
		return pre(r.Note)
	}
	return htmlLine("", r.Note)
}
