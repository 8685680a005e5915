#include "capture_object.h"

#include <elf.h>
#include <string.h>

enum { INITIALISERS_MAX = 4096, DYNAMIC_MAX = 4096, ANY = 38 /* tags below, those of the ABI */ };

/* The relocations that call a function of the object to learn an address (psABI of each machine). */
#if defined(__x86_64__)
enum { IRELATIVE = R_X86_64_IRELATIVE };
#else
enum { IRELATIVE = R_AARCH64_IRELATIVE };
#endif

struct object {
	char *code;
	size_t len;
	const Elf64_Phdr *segments;
	size_t segment_count;
	Elf64_Dyn *dynamic;
	size_t dynamic_count;
	uint64_t value[ANY];
	bool has[ANY];
};

static bool read_head(struct object *object)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)object->code;

	if (object->len < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_phoff > object->len ||
	    head->e_phentsize != sizeof(Elf64_Phdr) || (object->len - head->e_phoff) / sizeof(Elf64_Phdr) < head->e_phnum || head->e_phoff % 8 != 0)
		return false;
	object->segments = (const Elf64_Phdr *)(const void *)(object->code + head->e_phoff);
	object->segment_count = head->e_phnum;
	return true;
}

/* The bytes that stand in the file for size bytes at an address of the object's; NULL if not all do, or they are not aligned to 8. */
static char *bytes_at(const struct object *object, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const Elf64_Phdr *at = &object->segments[i];

		if (at->p_type != PT_LOAD || address < at->p_vaddr || address - at->p_vaddr >= at->p_filesz || size > at->p_filesz - (address - at->p_vaddr))
			continue;
		if (at->p_offset > object->len || at->p_filesz > object->len - at->p_offset)
			return NULL;
		const uint64_t offset = at->p_offset + (address - at->p_vaddr);

		return offset % 8 == 0 ? object->code + offset : NULL;
	}
	return NULL;
}

/* Where the loader looks for it: at its address, up to its end mark. */
static bool read_dynamic(struct object *object)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const Elf64_Phdr *at = &object->segments[i];

		if (at->p_type != PT_DYNAMIC)
			continue;
		if (object->dynamic != NULL || at->p_filesz / sizeof(Elf64_Dyn) > DYNAMIC_MAX)
			return false;
		object->dynamic = (Elf64_Dyn *)(void *)bytes_at(object, at->p_vaddr, at->p_filesz);
		object->dynamic_count = at->p_filesz / sizeof(Elf64_Dyn);
		if (object->dynamic == NULL)
			return false;
	}
	for (size_t i = 0; i < object->dynamic_count; i++) {
		const Elf64_Dyn *entry = &object->dynamic[i];

		if (entry->d_tag == DT_NULL)
			return true;
		if (entry->d_tag < 0 || entry->d_tag >= ANY)
			continue;
		/* Libraries that it needs may be many; of all else the loader takes one, and we could take another. */
		if (object->has[entry->d_tag] && entry->d_tag != DT_NEEDED)
			return false;
		object->has[entry->d_tag] = true;
		object->value[entry->d_tag] = entry->d_un.d_val;
	}
	return false;
}

static bool is_ifunc(const struct object *object, uint64_t symbol, bool *is)
{
	const char *at = symbol > UINT32_MAX ? NULL : bytes_at(object, object->value[DT_SYMTAB] + symbol * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
	Elf64_Sym one;

	if (!object->has[DT_SYMTAB] || at == NULL)
		return false;
	memcpy(&one, at, sizeof one);
	*is = ELF64_ST_TYPE(one.st_info) == STT_GNU_IFUNC;
	return true;
}

/* False: they cannot be read. */
static bool look_at_relocations(const struct object *object, int64_t table, int64_t bytes, bool *calls)
{
	const size_t count = object->has[bytes] ? object->value[bytes] / sizeof(Elf64_Rela) : 0;
	const char *at = count > 0 ? bytes_at(object, object->value[table], count * sizeof(Elf64_Rela)) : NULL;

	if (count == 0)
		return true;
	if (!object->has[table] || at == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		Elf64_Rela one;
		bool is = false;

		memcpy(&one, at + i * sizeof one, sizeof one);
		if (ELF64_R_SYM(one.r_info) != 0 && !is_ifunc(object, ELF64_R_SYM(one.r_info), &is))
			return false;
		*calls = *calls || is || ELF64_R_TYPE(one.r_info) == IRELATIVE;
	}
	return true;
}

/* The loader finds no tag, whatever relocations make of its value. Constructors would run while it still has to open files. */
static void hide(struct object *object)
{
	for (size_t i = 0; i < object->dynamic_count; i++)
		/* DT_INIT is crti's, which does nothing; a candidate's own cannot be told from it. */
		if (object->dynamic[i].d_tag == DT_INIT || object->dynamic[i].d_tag == DT_INIT_ARRAY || object->dynamic[i].d_tag == DT_INIT_ARRAYSZ)
			object->dynamic[i].d_tag = DT_DEBUG;
}

bool object_hold_back(char *code, size_t len, struct initialisers *initialisers, const char **why)
{
	struct object object = {.code = code, .len = len};
	bool calls = false;

	*why = "the linker made no shared object that can be read";
	*initialisers = (struct initialisers){0};
	if (!read_head(&object) || !read_dynamic(&object) || object.has[DT_REL] || object.has[DT_PREINIT_ARRAY] ||
	    (object.has[DT_PLTREL] && object.value[DT_PLTREL] != DT_RELA) || !look_at_relocations(&object, DT_RELA, DT_RELASZ, &calls) ||
	    !look_at_relocations(&object, DT_JMPREL, DT_PLTRELSZ, &calls))
		return false;
	if (calls) {
		*why = "it has functions that are chosen while it is loaded (ifunc)";
		return false;
	}
	initialisers->array = object.value[DT_INIT_ARRAY];
	initialisers->count = object.value[DT_INIT_ARRAYSZ] / sizeof(void *);
	if (initialisers->count > INITIALISERS_MAX ||
	    (initialisers->count > 0 && bytes_at(&object, initialisers->array, initialisers->count * sizeof(void *)) == NULL))
		return false;
	hide(&object);
	return true;
}
