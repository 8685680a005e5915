/*
 * Attention as a graph for cuDNN: what is computed from what, for contiguous bf16 tensors [B,H,S,D] and fp32 row statistics [B,H,S,1] (natural logarithm).
 * After the node lists of cudnn-frontend's CompositeSDPA nodes (https://github.com/NVIDIA/cudnn-frontend), since engines recognise graphs by their form.
 *   forward:  S = scale Q K^T, masked; m = rowmax S; E = exp(S - m); z = rowsum E; LSE = m + ln z; O = (E / z) V
 *   backward: d = rowsum(dO * O); P = exp(scale Q K^T - L), masked; dV = P^T dO; dS = (dO V^T - d) * P * scale; dK = dS^T Q; dQ = dS K, summed in fp32
 */
#ifndef PTXSEAL_MEASURE_ATTENTION_GRAPH_H
#define PTXSEAL_MEASURE_ATTENTION_GRAPH_H

#include "dnn.h"
#include "problem.h"

enum {
	ATTENTION_TENSOR = 1, /* the problem's tensor i has id ATTENTION_TENSOR + i */
	ATTENTION_SCALE = 101, /* host scalars: members of struct attention */
	ATTENTION_MASKED,
	ATTENTION_ONE,
	ATTENTION_ROW_SUM, /* backward only, device memory: fp32, B*H*S */
	ATTENTION_DQ_SUM,  /* likewise: fp32, B*H*S*D */
	ATTENTION_IDS_MAX = 16
};

struct attention {
	float scale, masked, one;
	int64_t ids[ATTENTION_IDS_MAX]; /* what a call has to bind */
	int count;
};

enum attention_form {
	ATTENTION_COMPOSITE, /* the formulas above, node by node */
	ATTENTION_ONE_NODE,  /* forward without a mask only: cuDNN's own node (from 9.13.1 on) */
	ATTENTION_FORMS
};

bool attention_has_form(const struct problem *problem, enum attention_form form);
/* Add the problem's operations to an open graph; what fails is in graph->status. Needs no GPU. */
void attention_graph(struct dnn_graph *graph, const struct problem *problem, enum attention_form form, struct attention *attention);

#endif
