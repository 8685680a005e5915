#include "gnuplot.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../kernel/process.h"
#include "plot.h"
#include "svg.h"

#define FONT_FILE "DejaVuSans.ttf"
#define FONT_CACHE "/var/cache/fontconfig" /* reading it saves looking into every font */
#define CLOCK_FILE "still.so"
#define MEMORY_BYTES_MAX (UINT64_C(4) << 30)

enum { DEADLINE_S = 30, PICTURE_BYTES_MAX = 32 << 20 };

static const unsigned char clock_file[] = {
#include "still.inc"
};

static char *in_directory(const char *dir, size_t len)
{
	struct stat st;
	char *path;

	if (len == 0 || dir[0] != '/')
		return NULL; /* a relative directory in PATH is whatever directory one happens to stand in */
	path = mem_format("%.*s/gnuplot", (int)(len < INT_MAX ? len : 0), dir);
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

enum status gnuplot_find(struct gnuplot *gnuplot, struct error *err)
{
	*gnuplot = (struct gnuplot){.deadline_s = DEADLINE_S};
	for (const char *at = getenv("PATH"); gnuplot->path == NULL && at != NULL;) {
		const size_t len = strcspn(at, ":");

		gnuplot->path = in_directory(at, len);
		at = at[len] == ':' ? at + len + 1 : NULL;
	}
	return gnuplot->path != NULL ? OK : error_set(err, R_FIG_MISSING, NULL, "no gnuplot on $PATH");
}

void gnuplot_free(struct gnuplot *gnuplot)
{
	free(gnuplot->path);
	*gnuplot = (struct gnuplot){0};
}

/* The one folder of fonts that gnuplot is to see, so that what is installed besides does not show in a PDF. */
static const char *font_directory(void)
{
	static const char *const places[] = {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF"};

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char *path = mem_format("%s/" FONT_FILE, places[i]);
		const bool there = access(path, R_OK) == 0;

		free(path);
		if (there)
			return places[i];
	}
	return NULL;
}

/* gnuplot, what it is made of wherever it was installed, and the system's libraries. */
static enum status make_cage(const struct gnuplot *gnuplot, const char *directory, struct cage *cage, struct error *err)
{
	static const char *const system[] = {"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives", FONT_CACHE, "/nix/store", "/gnu/store"};
	enum { SYSTEM = sizeof system / sizeof system[0] };
	const char *read[SYSTEM + 3] = {NULL};
	char *program = realpath(gnuplot->path, NULL), *folder, *prefix;

	if (program == NULL)
		return error_errno(err, R_FIG_RUN, gnuplot->path, "finding its folder");
	folder = mem_textn(program, (size_t)(strrchr(program, '/') - program));
	prefix = mem_format("%s/../share", folder);
	for (size_t i = 0; i < SYSTEM; i++)
		read[i] = system[i];
	read[SYSTEM] = program;
	read[SYSTEM + 1] = prefix;
	const enum status status = cage_make(read, directory, cage, err);

	free(prefix);
	free(folder);
	free(program);
	return status;
}

/* What it said last: gnuplot shows the line of the program, a caret below it, and then what is wrong; warnings come before. */
static const char *said(const struct process *process, int *len)
{
	const char *text = process->output.data != NULL ? process->output.data : "", *line;
	size_t end = process->output.len;

	while (end > 0 && strchr(" \t\r\n", text[end - 1]) != NULL)
		end--;
	line = text + end;
	while (line > text && line[-1] != '\n' && line[-1] != '\r')
		line--;
	*len = end > 0 ? (int)(text + end - line) : (int)strlen("nothing");
	return end > 0 ? line : "nothing";
}

static enum status how_it_ended(const struct gnuplot *gnuplot, const struct process *process, struct error *err)
{
	int len;
	const char *text = said(process, &len);

	if (process->late)
		return error_set(err, R_FIG_DEADLINE, gnuplot->path, "not done after %u s", process->deadline_s);
	if (process->flooded)
		return error_set(err, R_FIG_REFUSED, gnuplot->path, "it wrote more than %d bytes of messages", PROCESS_OUTPUT_MAX);
	if (process->signal != 0)
		return error_set(err, R_FIG_REFUSED, gnuplot->path, "it was ended by signal %d; it said: %.*s", process->signal, len, text);
	if (process->exit_code != 0)
		return error_set(err, R_FIG_REFUSED, gnuplot->path, "it ends with %d; it said: %.*s", process->exit_code, len, text);
	return OK;
}

static enum status run(const struct gnuplot *gnuplot, const char *directory, enum figure_form form, struct process *process, struct error *err)
{
	const char *const argv[] = {gnuplot->path, "-d", "figures.gp", NULL};
	char *fonts = mem_format("FONTCONFIG_FILE=%s/fonts.conf", directory), *clock = mem_format("LD_PRELOAD=%s/" CLOCK_FILE, directory);
	/* No clock, zone or font of the user's. */
	const char *const environment[] = {"TZ=UTC0", fonts, form == FIGURE_PDF ? clock : NULL, NULL};
	struct cage cage = {.ruleset = -1};
	enum status status;

	*process = (struct process){.argv = argv, .directory = directory, .deadline_s = gnuplot->deadline_s, .environment = environment, .memory = MEMORY_BYTES_MAX};
	/* The program is ours alone: where the kernel has no cage it runs without. */
	if (make_cage(gnuplot, directory, &cage, NULL) == OK)
		process->cage = &cage;
	status = process_run(process, err);
	cage_free(&cage);
	free(fonts);
	free(clock);
	process->argv = process->environment = NULL; /* they end here */
	process->cage = NULL;
	if (status != OK && err != NULL) {
		char *what = mem_text(err->what);

		status = error_set(err, R_FIG_RUN, gnuplot->path, "%s", what);
		free(what);
	}
	return status == OK ? how_it_ended(gnuplot, process, err) : status;
}

/* Is it a PDF whose date stood still? From cairo 1.17.6 on the date is in a compressed part, and what tells is that the loader took the clock. */
static enum status check_pdf(const struct gnuplot *gnuplot, const struct figure *figure, const struct process *process, const struct bytes *pdf, struct error *err)
{
	static const char date[] = "/CreationDate (D:", still[] = "20000101000000Z)";
	const char *at;

	if (pdf->len < 8 || memcmp(pdf->data, "%PDF-1.", 7) != 0)
		return error_set(err, R_FIG_PDF, gnuplot->path, "what it wrote for %s is no PDF", figure->name);
	at = memmem(pdf->data, pdf->len, date, sizeof date - 1);
	if (at != NULL && strncmp(at + sizeof date - 1, still, sizeof still - 1) != 0)
		return error_set(err, R_FIG_PDF, gnuplot->path, "the PDF of %s has the time of day in it", figure->name);
	if (process->output.data != NULL && strstr(process->output.data, CLOCK_FILE) != NULL)
		return error_set(err, R_FIG_PDF, gnuplot->path, "its clock cannot be stopped");
	return OK;
}

static enum status take(const struct gnuplot *gnuplot, const struct root *directory, size_t index, const struct figure *figure, const struct plot *plot, enum figure_form form,
                        const struct process *process, struct bytes *out, struct error *err)
{
	char *name = mem_format("%zu", index);
	struct bytes picture = {0};
	enum status status = root_read(directory, name, PICTURE_BYTES_MAX, &picture, NULL);
	int len;
	const char *text = said(process, &len);

	if (status != OK || picture.len == 0)
		status = error_set(err, R_FIG_REFUSED, gnuplot->path, "it drew no %s; it said: %.*s", figure->name, len, text);
	else if (form == FIGURE_SVG)
		status = svg_write(picture.data, picture.len, gnuplot->path, figure, plot, out, err);
	else
		status = check_pdf(gnuplot, figure, process, &picture, err);
	if (status == OK && form == FIGURE_PDF)
		bytes_add(out, picture.data, picture.len);
	bytes_free(&picture);
	free(name);
	return status;
}

static enum status draw(const struct gnuplot *gnuplot, const char *directory, const struct figure *const *figures, size_t count, enum figure_form form, struct bytes *out,
                        struct error *err)
{
	struct plot *plots = mem_alloc((count + 1) * sizeof *plots);
	struct bytes program = {0}, fonts = {0};
	struct process process = {0};
	struct root root = {.fd = -1};
	const char *font = font_directory();
	enum status status = root_open(directory, &root, err);

	bytes_text(&program, "set encoding utf8\nunset key\nset style data lines\n");
	for (size_t i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof name, "%zu", i);
		plot_write(figures[i], form, name, &program, &plots[i]);
	}
	bytes_format(&fonts, "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig><dir>%s</dir><cachedir>" FONT_CACHE "</cachedir><cachedir>%s</cachedir></fontconfig>\n",
	             font != NULL ? font : directory, directory);
	if (status == OK && form == FIGURE_PDF && font == NULL)
		status = error_set(err, R_FIG_PDF, "", "there is no " FONT_FILE);
	if (status == OK)
		status = root_write_product(&root, "figures.gp", program.data, program.len, err);
	if (status == OK)
		status = root_write_product(&root, "fonts.conf", fonts.data, fonts.len, err);
	if (status == OK && form == FIGURE_PDF)
		status = root_write_product(&root, CLOCK_FILE, clock_file, sizeof clock_file, err);
	if (status == OK)
		status = run(gnuplot, directory, form, &process, err);
	for (size_t i = 0; status == OK && i < count; i++)
		status = take(gnuplot, &root, i, figures[i], &plots[i], form, &process, &out[i], err);
	for (size_t i = 0; i < count; i++)
		plot_free(&plots[i]);
	free(plots);
	root_close(&root);
	bytes_free(&process.output);
	bytes_free(&program);
	bytes_free(&fonts);
	return status;
}

enum status gnuplot_draw(const struct gnuplot *gnuplot, const struct figure *const *figures, size_t count, enum figure_form form, struct bytes *out, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	char *above, *directory;
	enum status status = OK;

	for (size_t i = 0; status == OK && i < count; i++)
		status = figure_check(figures[i], err);
	if (status != OK || count == 0)
		return status;
	above = realpath(temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", NULL); /* gnuplot and its libraries are to find it from wherever they stand */
	if (above == NULL)
		return error_errno(err, R_FIG_RUN, temporary != NULL ? temporary : "/tmp", "finding the temporary directory");
	directory = mem_format("%s/ptxseal-figures-XXXXXX", above);
	free(above);
	if (mkdtemp(directory) == NULL) {
		status = error_errno(err, R_FIG_RUN, directory, "making a directory for it");
	} else {
		status = draw(gnuplot, directory, figures, count, form, out, err);
		file_remove_tree(AT_FDCWD, directory);
	}
	free(directory);
	return status;
}

struct drawing {
	pthread_t thread;
	bool started;
	const struct gnuplot *gnuplot;
	const struct figure *const *figures;
	size_t count;
	enum figure_form form;
	struct bytes *out;
	enum status status;
	struct error err;
};

static void *draw_beside(void *context)
{
	struct drawing *drawing = context;

	drawing->status = gnuplot_draw(drawing->gnuplot, drawing->figures, drawing->count, drawing->form, drawing->out, &drawing->err);
	return NULL;
}

struct drawing *gnuplot_begin(const struct gnuplot *gnuplot, const struct figure *const *figures, size_t count, enum figure_form form, struct bytes *out)
{
	struct drawing *drawing = mem_alloc(sizeof *drawing);

	*drawing = (struct drawing){.gnuplot = gnuplot, .figures = figures, .count = count, .form = form, .out = out};
	drawing->started = pthread_create(&drawing->thread, NULL, draw_beside, drawing) == 0;
	if (!drawing->started)
		draw_beside(drawing);
	return drawing;
}

enum status gnuplot_end(struct drawing *drawing, struct error *err)
{
	enum status status;

	if (drawing == NULL)
		return OK;
	if (drawing->started)
		pthread_join(drawing->thread, NULL);
	status = drawing->status;
	if (status != OK && err != NULL)
		*err = drawing->err;
	free(drawing);
	return status;
}
