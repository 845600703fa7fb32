// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The faces of ops (Faces.h), for their definitions.
#ifndef SLUICE_FACES
#define SLUICE_FACES

include "mlir/IR/OpBase.td"

class Sluice_Face<string name, code declaration = [{}]>
    : NativeOpTrait<name, [], declaration> {
  let cppNamespace = "::sluice";
}

def HasKernel : Sluice_Face<"HasKernel">;
def Computes : Sluice_Face<"Computes">;
def IsConstant : Sluice_Face<"IsConstant">;
def Steers : Sluice_Face<"Steers">;
def HasEffect : Sluice_Face<"HasEffect">;
def OnlyReads : Sluice_Face<"OnlyReads">;
def MayWait : Sluice_Face<"MayWait">;
def UsesContainers : Sluice_Face<"UsesContainers">;
def DeclaresState : Sluice_Face<"DeclaresState">;
def CrossesDevices : Sluice_Face<"CrossesDevices">;
def IsNegation : Sluice_Face<"IsNegation">;
def AsksShape : Sluice_Face<"AsksShape">;
def SameElements : Sluice_Face<"SameElements">;
def HasCode : Sluice_Face<"HasCode">;
def HasCardCode : Sluice_Face<"HasCardCode">;
def OfElements : Sluice_Face<"OfElements">;
def OfReduction : Sluice_Face<"OfReduction">;
def RepeatsElements : Sluice_Face<"RepeatsElements">;
def ViewsOperand : Sluice_Face<"ViewsOperand">;
def LooksAtIndices : Sluice_Face<"LooksAtIndices">;
def UsesCell : Sluice_Face<"UsesCell">;
def UsesBox : Sluice_Face<"UsesBox">;
def NeedsStraightLine : Sluice_Face<"NeedsStraightLine">;

#endif
